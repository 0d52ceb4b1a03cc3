stats 'trajectory.csv' using 'x':'y' name 'P' nooutput
set multiplot
set border 3
set tics nomirror
unset grid
set size ratio -1
set xlabel "x  [m]"
set ylabel "y  [m]" offset 1
set bmargin at screen 0.13; set tmargin at screen 0.9
set lmargin at screen 0.07; set rmargin at screen (cusp ? 0.53 : 0.97)
shape = 0.77*1050/((cusp ? 0.46 : 0.9)*2000)
wide = 1.12*(P_max_x - P_min_x); high = 1.12*(P_max_y - P_min_y)
if (wide*shape < high) { wide = high/shape } else { high = wide*shape }
if (wide == 0) { wide = 1; high = shape }
set title "Path of the blade" font ',30'
set xrange [(P_min_x + P_max_x - wide)/2 : (P_min_x + P_max_x + wide)/2]
set yrange [(P_min_y + P_max_y - high)/2 : (P_min_y + P_max_y + high)/2]
set key at graph 0.02,0.98 left top reverse Left
plot 'trajectory.csv' using (column('u')*stable <= 0 ? column('x') : NaN):'y' with lines lw 4 lc rgb red title "blade leads", \
     'trajectory.csv' using (column('u')*stable >= 0 ? column('x') : NaN):'y' with lines lw 4 lc rgb blue title "blade trails", \
     'trajectory.csv' every ::0::0 using 'x':'y' with points pt 7 ps 2 lc rgb black title "start"
if (cusp) {
  size = root**2/abs(a)
  half = 0.19*size
  set lmargin at screen 0.62; set rmargin at screen 0.99
  shape = 0.77*1050/(0.37*2000)
  xm = xc - 0.13*size*stable*cos(phic); ym = yc - 0.13*size*stable*sin(phic)
  set title "Its cusp: the sleigh swings round"
  set xrange [xm - half : xm + half]
  set yrange [ym - half*shape : ym + half*shape]
  set ylabel ""
  decade = 10**floor(log10(half)); spacing = half >= 4*decade ? 5*decade : half >= 2*decade ? 2*decade : decade
  set xtics spacing; set ytics spacing
  set key at graph 0.03,0.02 left bottom horizontal samplen 1 width 2
  beat = 0.12*size/k
  count(t) = floor((t - tc)/beat)
  now(t) = (abs(t - tc) < 1.2*size/k) && (count(t) != count(last))
  last = tc - 1e9
  plot 'trajectory.csv' using (column('u')*stable <= 0 ? column('x') : NaN):'y' with lines lw 5 lc rgb red notitle, \
       'trajectory.csv' using (column('u')*stable >= 0 ? column('x') : NaN):'y' with lines lw 5 lc rgb blue notitle, \
       'trajectory.csv' using (show = now(column('t')), last = column('t'), show ? column('x') : NaN):'y':(a*cos(column('phi'))):(a*sin(column('phi'))) \
         with vectors nohead lw 2.5 lc rgb black notitle, \
       'trajectory.csv' using (show = now(column('t')), last = column('t'), show ? column('x') : NaN):'y' \
         with points pt 7 ps 1 lc rgb black title "blade", \
       'trajectory.csv' using (show = now(column('t')), last = column('t'), show ? column('x') + a*cos(column('phi')) : NaN):(column('y') + a*sin(column('phi'))) \
         with points pt 7 ps 2.6 lc rgb sky title "centre of mass"
}
unset multiplot

# The structure along the branch, and its load over the way of the place that is pushed: dotted where it is not stable.
set multiplot
unset key
set lmargin at screen 0.09; set rmargin at screen 0.46; set tmargin at screen 0.86; set bmargin at screen 0.14
set label 1 'shapes along the branch: from pale to dark' at screen 0.27,0.95 center
set xlabel 'x  [m]'; set ylabel 'z  [m]'
set size ratio -1
if (column) { set xtics 0.2 }
plot for [i=0:shapes] sprintf('shape_%d.csv', i) using 'x':'z' with lines lw 4 lc rgb (i == 0 ? gray : sky - (i - 1)*0x0a1000)
unset label 1
set size noratio
set xtics autofreq
set lmargin at screen 0.57; set rmargin at screen 0.97
set key at screen 0.77,0.98 center top horizontal maxrows 1 samplen 1.5
set ylabel 'load  [N]' offset 1,0
set xzeroaxis lw 1 lc rgb gray
if (column) {
  set xlabel 'tip moves aside by  [m]'
  plot 'branch.csv' using 'aside':(column('unstable') == 0 ? column('load') : NaN) with lines lw 4 lc rgb blue title 'rods', \
       'elastica.csv' using 'aside':(column('load') <= 7.4 ? column('load') : NaN) every 5 with points pt 6 ps 1.5 lw 2 lc rgb orange title 'elastica', \
       'events.csv' using 'aside':'load' with points pt 7 ps 2 lc rgb red title 'bifurcation'
} else {
  set xlabel 'the place that is pushed goes down by  [m]'
  set yrange [*:*]
  stats 'branch.csv' using 3 name 'D' nooutput
  set xrange [0:D_max*1.02]
  if (reference_1 < 1e300) {
    set arrow 1 from 0,reference_1 to D_max,reference_1 nohead lw 1.5 dt (8,6) lc rgb orange
    set label 2 reference at D_max,reference_1 right offset 0,0.6 textcolor rgb orange font ',18'
  }
  if (reference_2 < 1e300) { set arrow 2 from 0,reference_2 to D_max,reference_2 nohead lw 1.5 dt (8,6) lc rgb orange }
  plot 'branch.csv' using 'down':'load' with lines lw 3 dt (3,3) lc rgb blue title 'unstable', \
       'branch.csv' using 'down':(column('unstable') == 0 ? column('load') : NaN) with lines lw 4 lc rgb blue title 'stable', \
       'events.csv' using 'down':'load' with points pt 7 ps 2 lc rgb red title 'limit point'
}
unset multiplot

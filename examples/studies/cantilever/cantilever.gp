# The rod at quarters of its load, and how far its tip goes along the load, beside published points.
unset grid
set multiplot
set xlabel 'x  [m]'; set ylabel 'y  [m]'
unset key
set label 1 'the rod at 0, 1/4, 1/2, 3/4 and all of its load' at screen 0.27,0.95 center
if (spatial) {
  set size 0.6,1.4; set origin -0.05,-0.2
  set view 62,40
  set view equal xyz
  set xyplane relative 0.05
  set zlabel 'z  [m]' rotate
  stats 'shape_0.csv' using 1:2 name 'S' nooutput
  extent = S_max_x > S_max_y ? S_max_x : S_max_y
  tic = 10**floor(log10(extent)); tic = extent/tic > 5 ? 2*tic : extent/tic > 2 ? tic : tic/2
  set ztics tic; set xtics tic offset 0,-0.3; set ytics tic offset 0.3,-0.2
  set grid xtics ytics lc rgb light lw 0.5
  splot for [i=0:4] sprintf('shape_%d.csv', i) using 1:2:3 with lines lw 4 lc rgb (i == 0 ? gray : sky - (i - 1)*0x101800)
} else {
  set lmargin at screen 0.08; set rmargin at screen 0.46; set tmargin at screen 0.88; set bmargin at screen 0.14
  set size ratio -1
  set grid lc rgb light lw 0.5
  set offsets graph 0.03, graph 0.03, graph 0.03, graph 0.03
  plot for [i=0:4] sprintf('shape_%d.csv', i) using 'x':'y' with lines lw 4 lc rgb (i == 0 ? gray : sky - (i - 1)*0x101800)
}
set size noratio 1,1; set origin 0,0
unset offsets
set lmargin at screen 0.6; set rmargin at screen 0.97; set tmargin at screen 0.86; set bmargin at screen 0.14
set grid lc rgb light lw 0.5
unset label 1
set xtics autofreq norotate offset 0,0; set ytics autofreq offset 0,0
set key at screen 0.785,0.98 center top horizontal maxrows 1 samplen 1.2 width -2
set xlabel load_name
set ylabel 'tip moves by  [m]' offset 1,0
set xrange [*:*]
set yrange [*:*]
plot 'path.csv' using 'load':'ux' with lines lw 3 lc rgb orange title 'x', \
     'path.csv' using 'load':'uy' with lines lw 3 lc rgb blue title 'y', \
     'path.csv' using 'load':(spatial ? column('uz') : NaN) with lines lw 3 lc rgb green title (spatial ? 'z' : ''), \
     'points.csv' using (abs(column('load')) <= abs(to)*1.0001 ? column('load') : NaN):'ux' with points pt 6 ps 2 lw 2 lc rgb black title source, \
     'points.csv' using (abs(column('load')) <= abs(to)*1.0001 ? column('load') : NaN):'uy' with points pt 6 ps 2 lw 2 lc rgb black notitle, \
     'points.csv' using (spatial && abs(column('load')) <= abs(to)*1.0001 ? column('load') : NaN):'uz' with points pt 6 ps 2 lw 2 lc rgb black notitle
unset multiplot

stats 'trajectory.csv' using (sqrt(column('x')**2 + column('y')**2)) name 'P' nooutput
reach = 1.08*P_max
set multiplot
set border 3
set tics nomirror
unset grid
set size ratio -1
set xrange [-reach:reach]
set yrange [-reach:reach]
set tmargin at screen 0.93; set bmargin at screen 0.4
set lmargin at screen 0.08; set rmargin at screen 0.49
set xlabel "x  [m]" offset 0,0.4
set ylabel "y  [m]" offset 1
set title "Seen from the room" font ',30'
plot 'trajectory.csv' using 'x':'y' with lines lw 2 lc rgb blue notitle, \
     'trajectory.csv' every ::0::0 using 'x':'y' with points pt 7 ps 2 lc rgb black notitle, \
     '+' using (0):(0) every ::0::0 with points pt 1 ps 3 lw 3 lc rgb gray notitle
set lmargin at screen 0.55; set rmargin at screen 0.98
set ylabel ""
set title "Seen from the plate" font ',30'
plot 'trajectory.csv' using 'x_plate':'y_plate' with lines lw 2 lc rgb red notitle, \
     'trajectory.csv' every ::0::0 using 'x_plate':'y_plate' with points pt 7 ps 2 lc rgb black notitle, \
     '+' using (0):(0) every ::0::0 with points pt 1 ps 3 lw 3 lc rgb gray notitle
set tmargin at screen 0.29; set bmargin at screen 0.09
set lmargin at screen 0.09; set rmargin at screen 0.98
set size noratio
set autoscale
set grid
set xlabel "time  [s]" offset 0,0.4
set ylabel "energy  [J]"
set title ""
set key at graph 0.99,0.97 right top horizontal
set offsets 0, 0, graph 0.35, graph 0.05
plot 'trajectory.csv' using 't':'energy' with lines lw 3 lc rgb orange title "energy E", \
     'trajectory.csv' using 't':'moving_energy' with lines lw 4 lc rgb green title "kept: E − Ω J"
unset multiplot

stats 'trajectory.csv' using 'x':'y' name 'P' nooutput
set multiplot
set border 3
set tics nomirror
unset grid
set size ratio -1
set lmargin at screen 0.075; set rmargin at screen 0.615
set bmargin at screen 0.1; set tmargin at screen 0.92
shape = 0.82*1150/(0.54*2000)
wide = 1.12*(P_max_x - P_min_x); high = 1.12*(P_max_y - P_min_y)
if (wide*shape < high) { wide = high/shape } else { high = wide*shape }
set xrange [(P_min_x + P_max_x - wide)/2 : (P_min_x + P_max_x + wide)/2]
set yrange [(P_min_y + P_max_y - high)/2 : (P_min_y + P_max_y + high)/2]
set xlabel "x  [m]"
set ylabel "y  [m]" offset 1
set title "Euler's spiral" font ',30'
set key at graph 0.98,0.03 right bottom Left reverse
plot 'trajectory.csv' using (column('kappa') <= 0 ? column('x') : NaN):'y' with lines lw 4 lc rgb blue title "turns right", \
     'trajectory.csv' using (column('kappa') >= 0 ? column('x') : NaN):'y' with lines lw 4 lc rgb red title "turns left", \
     'trajectory.csv' every ::0::0 using 'x':'y' with points pt 7 ps 2.2 lc rgb orange title "start"
set size noratio
set autoscale
set grid
set lmargin at screen 0.69; set rmargin at screen 0.98
set bmargin at screen 0.58; set tmargin at screen 0.92
set xrange [0:T]
set xlabel ""
set format x ""
set ylabel "curvature  κ  [1/m]"
set title "What the path does" font ',30'
set key at graph 0.03,0.97 left top Left reverse
plot kappa0 + c*v*x with lines lw 9 lc rgb yellow title "κ₀ + c v t", \
     'trajectory.csv' using 't':'kappa' with lines lw 3 lc rgb blue title "computed"
set bmargin at screen 0.1; set tmargin at screen 0.47
set format x
set xlabel "time  t  [s]"
set ylabel "force across the path  μ  [N]"
set title "What it takes" font ',30'
plot m*v*v*(kappa0 + c*v*x) with lines lw 9 lc rgb yellow title "m v² κ", \
     'trajectory.csv' using 't':'lambda' with lines lw 3 lc rgb green title "computed"
unset multiplot

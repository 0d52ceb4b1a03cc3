patch1 = "column('y1') - column('xi')*sin(column('theta'))"
patch2 = "column('y2') + column('xi')*cos(column('theta'))"
stats 'trajectory.csv' using (@patch1):(@patch2) name 'P' nooutput
stats 'trajectory.csv' using 'y1':'y2' name 'Y' nooutput
stats 'trajectory.csv' using 't' name 'T' nooutput
set title "Greidanus's tyre: the patch swings out from under the wheel" font ',30' offset 0,0.3
set xlabel "x₁  [m]" offset 0,0.4
set border 3
set tics nomirror
set lmargin at screen 0.08; set rmargin at screen 0.98
set tmargin at screen 0.87; set bmargin at screen 0.17
# The plot is 1800 by 560 pixels; x₂ is stretched up to sixfold.
low = P_min_y < Y_min_y ? P_min_y : Y_min_y; top = P_max_y > Y_max_y ? P_max_y : Y_max_y
wide = P_max_x - P_min_x; high = top - low
if (wide + high == 0) { wide = 1 }
wide = 1.06*(wide > high/6 ? wide : high/6)
room = 1.5*high > wide*560/1800/6 ? 1.5*high : wide*560/1800/6
set xrange [(P_min_x + P_max_x - wide)/2 : (P_min_x + P_max_x + wide)/2]
set yrange [(low + top - room)/2 : (low + top + room)/2]
set ylabel sprintf("x₂  [m],  × %.2g", wide*560/1800/room) offset 1
set key at graph 0.99,0.98 right top horizontal samplen 2
half = wide/90
last = -1
count(t, n) = floor((t - T_min)/(T_max - T_min)*n + 1e-9)
now(t, n) = count(t, n) != last
plot 'trajectory.csv' using (show = now(column('t'), 160), last = count(column('t'), 160), show ? column('y1') : NaN):'y2':(-column('xi')*sin(column('theta'))):(column('xi')*cos(column('theta'))) \
       with vectors nohead lw 2 lc rgb orange title "give q", \
     'trajectory.csv' using (@patch1):(@patch2) with lines lw 6 lc rgb sky title "patch", \
     'trajectory.csv' using 'y1':'y2' with lines lw 2 lc rgb black notitle, \
     'trajectory.csv' using (show = now(column('t'), 40), last = count(column('t'), 40), show ? column('y1') - half*cos(column('theta')) : NaN):(column('y2') - half*sin(column('theta'))):(2*half*cos(column('theta'))):(2*half*sin(column('theta'))) \
       with vectors nohead lw 6 lc rgb black title "wheel"

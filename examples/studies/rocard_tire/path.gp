stats 'trajectory.csv' using 'x1':'x2' name 'P' nooutput
stats 'trajectory.csv' using 't' name 'T' nooutput
set title "Rocard's tyre: the patch moves along its path, the wheel is turned against it by ε" font ',30' offset 0,0.3
set xlabel "x₁  [m]" offset 0,0.4
set border 3
set tics nomirror
set lmargin at screen 0.08; set rmargin at screen 0.98
set tmargin at screen 0.87; set bmargin at screen 0.17
# The plot is 1800 by 560 pixels; x₂ is stretched up to fourfold.
wide = P_max_x - P_min_x; high = P_max_y - P_min_y
if (wide + high == 0) { wide = 1 }
wide = 1.06*(wide > high/4 ? wide : high/4)
room = 1.5*high > wide*560/1800/4 ? 1.5*high : wide*560/1800/4
set xrange [(P_min_x + P_max_x - wide)/2 : (P_min_x + P_max_x + wide)/2]
set yrange [(P_min_y + P_max_y - room)/2 : (P_min_y + P_max_y + room)/2]
set ylabel sprintf("x₂  [m],  × %.2g", wide*560/1800/room) offset 1
set key at graph 0.99,0.98 right top horizontal samplen 2
half = wide/70
beat = (T_max - T_min)/36
last = -1
count(t) = floor((t - T_min)/beat + 1e-9)
now(t) = count(t) != last
plot 'trajectory.csv' using 'x1':'x2' with lines lw 6 lc rgb sky title "path of the patch", \
     'trajectory.csv' using (show = now(column('t')), last = count(column('t')), show ? column('x1') - half*cos(column('theta')) : NaN):(column('x2') - half*sin(column('theta'))):(2*half*cos(column('theta'))):(2*half*sin(column('theta'))) \
       with vectors nohead lw 5 lc rgb black title "wheel, at equal times"

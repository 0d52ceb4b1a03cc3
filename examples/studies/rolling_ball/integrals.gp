set title (rubber ? "What the rubber ball keeps, and what it does not" : "What the motion keeps, and how well the numbers do") font ',30' offset 0,0.4
set xlabel "time  t  [s]"
set ylabel "change since the start, relative"
set logscale y
set format y "10^{%T}"
set yrange [3e-17:*]
set border 3
set tics nomirror
set key below horizontal Left reverse samplen 1.5 width 1
size = S0 > 0 ? sqrt(S0) : 1
rel(x) = abs(x) > 1e-16 ? abs(x) : 1e-16
plot 'trajectory.csv' using 't':(rel((column('energy') - E0)/E0)) with lines lw 3 lc rgb blue title "E", \
     'trajectory.csv' using 't':(rel((column('K1') - X0)/size)) with lines lw 3 lc rgb green title "K_x", \
     'trajectory.csv' using 't':(rel((column('K2') - Y0)/size)) with lines lw 3 lc rgb orange title "K_y", \
     'trajectory.csv' using 't':(rel((column('K3') - Z0)/size)) with lines lw 3 lc rgb red title (rubber ? "K_z, on which the plane acts" : "K_z = K·γ"), \
     'trajectory.csv' using 't':(rubber ? NaN : rel((column('K_squared') - S0)/S0)) with lines lw 3 lc rgb purple title (rubber ? "" : "|K|²")

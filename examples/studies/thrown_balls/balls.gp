# Speeds with their closed forms, slips, and where they are, over time.
set multiplot layout 3,1 margins 0.11,0.97,0.1,0.93 spacing 0,0.03
set title sprintf('Thrown onto a plane with μ = %g and the slope tan β = %.3g', friction, tan(slope)) offset 0,-0.3
set xrange [0:T]
set format x ''
set ylabel 'speed  [m/s]' offset 0.5,0
set key top right horizontal maxrows 2
set offsets 0,0,graph 0.35,graph 0.05
plot for [name in 'cylinder sphere backspin'] 'balls.csv' using 't':name.'_exact' with lines lw 6 lc rgb yellow notitle, \
     1/0 with lines lw 6 lc rgb yellow title 'exact', \
     'balls.csv' using 't':'cylinder_speed' with lines lw 2 lc rgb green title 'cylinder', \
     '' using 't':'sphere_speed' with lines lw 2 lc rgb blue title 'sphere', \
     '' using 't':'backspin_speed' with lines lw 2 lc rgb red title 'backspin'
unset title
unset key
set offsets 0,0,graph 0.05,graph 0.05
set ylabel 'slip  [m/s]' offset 0.5,0
plot 'balls.csv' using 't':'cylinder_slip' with lines lw 2.5 lc rgb green, \
     '' using 't':'sphere_slip' with lines lw 2.5 lc rgb blue, \
     '' using 't':'backspin_slip' with lines lw 2.5 lc rgb red
set format x '%g'
set xlabel 't  [s]'
set ylabel 'place  [m]' offset 0.5,0
plot 'balls.csv' using 't':'cylinder_place' with lines lw 2.5 lc rgb green, \
     '' using 't':'sphere_place' with lines lw 2.5 lc rgb blue, \
     '' using 't':'backspin_place' with lines lw 2.5 lc rgb red
unset multiplot

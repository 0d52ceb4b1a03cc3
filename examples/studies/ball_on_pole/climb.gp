# The height of the ball beside the closed form, its spin, and what the motion keeps.
set multiplot layout 3,1 margins 0.12,0.97,0.12,0.97 spacing 0,0.03
set format x ''
set ylabel 'height  [m]' offset 0.5,0
set key top right horizontal
set offsets graph 0,graph 0,graph 0.3,graph 0.05
plot 'climb.csv' using 't':'z_exact' with lines lw 7 lc rgb yellow title 'closed form', \
     '' using 't':'z' with lines lw 2 lc rgb blue title 'computed'
unset offsets
set ylabel 'spin  [rad/s]' offset 0.5,0
plot 'climb.csv' using 't':'spin' with lines lw 2.5 lc rgb red notitle
set format x '%g'
set xlabel 't  [s]'
set ylabel 'errors' offset 0.5,0
set logscale y
set format y '10^{%L}'; set ytics ('10^{-18}' 1e-18, '10^{-12}' 1e-12, '10^{-6}' 1e-6, '1' 1)
set yrange [1e-19:1e6]
size(x) = abs(x) > 1e-19 ? abs(x) : 1e-19
set key top center horizontal maxrows 2 font ',20'
plot 'climb.csv' using 't':(size(column('energy_change'))) with lines lw 1.5 lc rgb blue title 'energy change / kinetic energy', \
     '' using 't':(size(column('z') - column('z_exact'))) with lines lw 1.5 lc rgb green title 'distance from the closed form  [m]', \
     '' using 't':(size(column('no_slip'))) with lines lw 1.5 lc rgb orange title 'slip  [m/s]', \
     '' using 't':(size(column('gap_error'))) with points pt 7 ps 0.3 lc rgb purple title 'gap error  [m]'
unset multiplot

# How far the ring has turned about its tangent, beside the closed form, and what the motion keeps.
set multiplot layout 2,1 margins 0.12,0.97,0.12,0.95 spacing 0,0.03
set format x ''
set ylabel 'turn  φ  [rad]' offset 0.5,0
set key top right horizontal
set offsets graph 0,graph 0,graph 0.22,graph 0.05
plot 'ring.csv' using 't':'turn_exact' with lines lw 7 lc rgb yellow title 'closed form', \
     '' using 't':'turn' with lines lw 2 lc rgb blue title 'computed'
set format x '%g'
set xlabel 't  [s]'
set ylabel 'errors' offset 0.5,0
set logscale y
set format y '10^{%L}'; set ytics ('10^{-18}' 1e-18, '10^{-12}' 1e-12, '10^{-6}' 1e-6, '1' 1)
set yrange [1e-19:1e6]
size(x) = abs(x) > 1e-19 ? abs(x) : 1e-19
unset offsets
set key top center horizontal maxrows 2 font ',20'
plot 'ring.csv' using 't':(size(column('energy_change'))) with lines lw 1.5 lc rgb blue title 'energy change / kinetic energy', \
     '' using 't':(size(column('turn') - column('turn_exact'))) with lines lw 1.5 lc rgb green title 'distance from the closed form  [rad]', \
     '' using 't':(size(column('no_slip'))) with lines lw 1.5 lc rgb orange title 'slip  [m/s]', \
     '' using 't':(size(column('gap_error'))) with points pt 7 ps 0.3 lc rgb purple title 'gap error  [m]'
unset multiplot

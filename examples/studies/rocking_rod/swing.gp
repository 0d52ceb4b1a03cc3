# Tilt, friction that rolling takes (it trembles with the rod), and what the motion keeps.
set multiplot layout 3,1 margins 0.12,0.97,0.12,0.97 spacing 0,0.03
set format x ''
set ylabel 'tilt  [rad]' offset 0.5,0
plot 'rocking.csv' using 't':'tilt' with lines lw 2.5 lc rgb blue notitle
set ylabel 'friction / normal' offset 0.5,0
set yrange [0:*]
plot 'rocking.csv' using 't':'cone_utilisation' with points pt 7 ps 0.35 lc rgb orange notitle
set format x '%g'
set xlabel 't  [s]'
set ylabel 'errors' offset 0.5,0
set logscale y
set format y '10^{%L}'; set ytics ('10^{-18}' 1e-18, '10^{-12}' 1e-12, '10^{-6}' 1e-6, '1' 1)
set yrange [1e-19:1e6]
size(x) = abs(x) > 1e-19 ? abs(x) : 1e-19
set key top center horizontal maxrows 2 font ',20'
plot 'rocking.csv' using 't':(size(column('energy_change'))) with lines lw 1.5 lc rgb blue title 'energy change / kinetic energy', \
     '' using 't':(size(column('no_slip'))) with lines lw 1.5 lc rgb orange title 'slip  [m/s]', \
     '' using 't':(size(column('gap_error'))) with points pt 7 ps 0.3 lc rgb purple title 'gap error  [m]'
unset multiplot

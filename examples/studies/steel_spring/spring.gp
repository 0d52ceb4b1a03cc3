# Height of the mass, and the change of energy.
set multiplot layout 2,1 margins 0.13,0.97,0.12,0.97 spacing 0,0.04
set format x ''
set ylabel 'height of the mass  [m]' offset 0.5,0
plot 'spring.csv' using 't':'height' with lines lw 2.5 lc rgb blue notitle
set format x '%g'
set xlabel 't  [s]'
set ylabel 'energy change / energy' offset 0.5,0
set logscale y
set format y '10^{%L}'
size(x) = abs(x) > 1e-17 ? abs(x) : 1e-17
set yrange [1e-17:1]
plot 'spring.csv' using 't':(size(column('energy_change'))) with points pt 7 ps 0.35 lc rgb orange notitle
unset multiplot

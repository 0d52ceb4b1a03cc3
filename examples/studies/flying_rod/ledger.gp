# What a flight takes up and what it keeps.
if (cantilever) { rows = 2 } else { rows = 3 }
set multiplot layout rows,1 margins 0.13,0.97,0.09,0.97 spacing 0,0.035
set format x ''
set xrange [0:t_end]
set ylabel 'energy  [J]' offset 0.5,0
set yrange [0:*]
set offsets graph 0,graph 0,graph 0.25,graph 0
set key top right horizontal maxrows 1 width -2
plot 'flight.csv' using 't':(column('kinetic') + column('elastic')) with lines lw 3 lc rgb black title 'energy', \
     '' using 't':'kinetic' with lines lw 2 lc rgb blue title 'of the motion', \
     '' using 't':'elastic' with lines lw 2 lc rgb orange title 'of the shape'
unset offsets
if (!cantilever) {
  set key width 1
  set ylabel 'L  [N m s]' offset 0.5,0
  set yrange [*:*]
  set offsets graph 0,graph 0,graph 0.3,graph 0.05
  plot 'flight.csv' using 't':'Lx' with lines lw 2.5 lc rgb green title 'L_x', \
       '' using 't':'Ly' with lines lw 2.5 lc rgb purple title 'L_y', \
       '' using 't':'Lz' with lines lw 2.5 lc rgb blue title 'L_z'
  unset offsets
}
set format x '%g'
set xlabel 't  [s]'
set ylabel 'relative errors' offset 0.5,0
set logscale y
set format y '10^{%L}'; set ytics ('10^{-18}' 1e-18, '10^{-15}' 1e-15, '10^{-12}' 1e-12, '10^{-9}' 1e-9, '10^{-6}' 1e-6, '10^{-3}' 1e-3, '1' 1)
if (cantilever) { set yrange [1e-11:1] } else { set yrange [1e-18:1e3] }
size(x) = abs(x) > 1e-18 ? abs(x) : NaN
set key top center horizontal maxrows 1 font ',20' width -3
if (cantilever) {
  plot 'flight.csv' using 't':(size(column('energy_change'))) with points pt 7 ps 0.3 lc rgb orange title 'energy change / first kinetic energy'
} else {
  plot 'flight.csv' using 't':(size(column('energy_change'))) with points pt 7 ps 0.3 lc rgb orange title 'energy after the load', \
       '' using 't':(size(column('angular_error'))) with points pt 7 ps 0.3 lc rgb blue title 'L − ∫ (M + r × F) dt', \
       '' using 't':(size(column('momentum_error'))) with points pt 7 ps 0.3 lc rgb green title 'P − ∫ F dt'
}
unset multiplot

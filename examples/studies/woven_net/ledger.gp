# What the motion keeps: energy and the constraints of all contacts.
set logscale y
set format y '10^{%L}'; set ytics 1e3
set xlabel 't  [s]'
set yrange [1e-19:1e-2]
set key at graph 0.98,0.72
size(x) = abs(x) > 1e-19 ? abs(x) : 1e-19
plot 'ledger.csv' using 't':(size(column('energy_change'))) with lines lw 1.5 lc rgb blue title 'energy change / initial kinetic energy', \
     '' using 't':(size(column('no_slip'))) with lines lw 1.5 lc rgb orange title 'largest slip  [m/s]', \
     '' using 't':(size(column('gap_error'))) with points pt 7 ps 0.3 lc rgb purple title 'largest gap error  [m]'

# Slip and what it costs, the paths of the contact for several mobilities, and how far all is from rolling.
set multiplot layout 2,2 margins 0.1,0.98,0.09,0.94 spacing 0.1,0.18
set xlabel 't  [s]'
set ylabel 'slip  [m/s]' offset 0.5,0
set title sprintf('Slip with ε = %g m/(N s)', epsilon)
set xrange [0:T]
plot 'slip.csv' using 't':'slip_expected' with lines lw 6 lc rgb yellow title 'ε |λ_t| of rolling', \
     '' using 't':'slip' with lines lw 2 lc rgb blue title 'computed', \
     'coulomb.csv' using 't':'slip' with lines lw 1.5 lc rgb gray title sprintf('dry friction, μ = %g', mu)
set title 'Energy since the start'
set key at graph 0.98,0.97 right top
set ylabel '[J]' offset 0.5,0
plot 'slip.csv' using 't':'work_of_friction' with lines lw 6 lc rgb yellow title 'work of friction', \
     '' using 't':'energy_change' with lines lw 2 lc rgb red title 'change of energy', \
     'coulomb.csv' using 't':'work_of_friction' with lines lw 1.5 lc rgb gray title 'work of dry friction'
set title 'Where the contact is on rod 1, against rolling'
set key at graph 0.03,0.98 left top Left reverse maxrows 3 samplen 2
set offsets 0,0,graph 0.4,0
set ylabel 's_1 − s_1 of rolling  [mm]' offset 0.5,0
plot for [i=0:4] 'paths.csv' using 't':(1e3*(column(sprintf('s1_%d', i)) - column('s1_rolling'))) with lines lw 2 title sprintf('ε = %.2g', epsilon*10**(-i/2.0))
set offsets 0,0,0,0
set title 'How far from rolling'
set xrange [epsilon/100:epsilon]
set logscale xy
set format xy '10^{%L}'
set xlabel 'ε  [m/(N s)]'
unset ylabel
set key at graph 0.03,0.97 left top Left reverse maxrows 3 samplen 4
set yrange [*:100]
plot 'epsilon.csv' using 'epsilon':'distance' with linespoints lw 2 pt 7 lc rgb blue title 'largest distance of nodes  [m]', \
     '' using 'epsilon':'slip' with linespoints lw 2 pt 7 lc rgb orange title 'largest slip  [m/s]', \
     '' using 'epsilon':'slip_error' with linespoints lw 2 pt 7 lc rgb green title 'distance of the slip from −ελ_t  [m/s]'
unset multiplot

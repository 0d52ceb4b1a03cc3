# How many contacts a heap has as it forms, and how its motion dies out.
set multiplot layout 2,1 margins 0.1,0.97,0.13,0.92 spacing 0,0.13
set title sprintf('A heap of %d rods, μ = %g', rods, friction) offset 0,-0.2
set xrange [0:T]
set yrange [0:*]
set ylabel 'contacts  [1]' offset 0.5,0
set key top left
plot 'heap.csv' using 't':'crossings' with lines lw 2.5 lc rgb blue title 'rods with rods', \
     '' using 't':'walls' with lines lw 2.5 lc rgb green title 'rods with the box', \
     '' using 't':'sliding' with lines lw 1.5 lc rgb red title 'of these, sliding'
unset title
unset key
set xlabel 't  [s]'
set ylabel 'kinetic energy  [J]' offset 0.5,0
set logscale y
set yrange [*:*]
set format y '10^{%T}'
plot 'heap.csv' using 't':($0 > 0 ? column('kinetic') : NaN) with lines lw 2.5 lc rgb blue
unset multiplot

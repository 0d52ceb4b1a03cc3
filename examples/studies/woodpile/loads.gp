# What each layer bears, over the weight above it, and how many contacts are closed.
set multiplot layout 2,1 margins 0.1,0.97,0.13,0.92 spacing 0,0.13
set title sprintf('A pile of %d layers: what a layer bears, over the weight of it and of those above', layers) offset 0,-0.2
set xrange [0:T]
set yrange [0:1.6]
set ylabel 'load over weight  [1]' offset 0.5,0
set key bottom right
plot for [i=0:layers-1] 'loads.csv' using 't':sprintf('layer%d', i) with lines lw 2 title sprintf('layer %d', i)
unset title
set xlabel 't  [s]'
set ylabel 'contacts  [1]' offset 0.5,0
set yrange [0:*]
set key bottom right
plot 'loads.csv' using 't':'closed' with lines lw 2.5 lc rgb blue title 'closed', \
     '' using 't':'sliding' with lines lw 2.5 lc rgb red title 'of these, sliding'
unset multiplot

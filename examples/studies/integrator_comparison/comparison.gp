# Energy error and slip against time, and error against cost, of the integrators in `names`; $run1, $work1, … are set already.
colours = "#D55E00 #E69F00 #009E73 #56B4E9 #CC79A7 #999999 #222222 #0072B2 #004c7a #7a4fa3 #8c6d1f"
colour(i) = word(colours, (i - 1)%words(colours) + 1)
set multiplot
set border 3
set tics nomirror
set format y '10^{%T}'
set logscale y
set label 1 title at screen 0.5,0.965 center font ',30'
set lmargin at screen 0.075; set rmargin at screen 0.475
set tmargin at screen 0.9; set bmargin at screen 0.62
set yrange [5e-18:*]
set title "error of the ".energy offset 0,-0.5
set xlabel 'time  [s]'
plot for [i=1:words(names)] sprintf('$run%d', i) using 1:2 with lines lw 3 lc rgb colour(i) notitle
unset label 1
set tmargin at screen 0.46; set bmargin at screen 0.1
set title "slip" offset 0,-0.5
plot for [i=1:words(names)] sprintf('$run%d', i) using 1:3 with lines lw 3 lc rgb colour(i) notitle
set lmargin at screen 0.57; set rmargin at screen 0.975
set tmargin at screen 0.9; set bmargin at screen 0.38
set title "error of a state against cost" offset 0,-0.5
set xlabel "time of the run  [s of computing]"
set logscale x
set format x '10^{%T}'
set yrange [*:*]
set key at screen 0.975,0.29 right top maxrows 6 width -1 font ',20'
plot for [i=1:words(names)] sprintf('$work%d', i) using 1:2 with linespoints lw 3 ps 1.4 pt 4 + (i - 1)%9 lc rgb colour(i) title word(names, i)
unset multiplot

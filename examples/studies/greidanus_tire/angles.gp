stats 'trajectory.csv' using 't':(abs(column('xi'))) name 'X' nooutput
set multiplot
set lmargin at screen 0.13; set rmargin at screen 0.97
set border 3
set tics nomirror
set xzeroaxis lw 1.5 lc rgb gray
set xrange [X_min_x:X_max_x]
set tmargin at screen 0.92; set bmargin at screen 0.53
set format x ""
set title "Greidanus's tyre: drift and shimmy" font ',30' offset 0,0.3
set label 1 "angle  [rad]" at screen 0.03,0.725 center rotate
set key top left horizontal samplen 2
plot 'trajectory.csv' using 't':'epsilon' with lines lw 5 lc rgb red title "drift ε", \
     'trajectory.csv' using 't':'theta' with lines lw 5 lc rgb blue title "heading θ"
set tmargin at screen 0.48; set bmargin at screen 0.1
unset title
set format x "%g"
set xlabel "t  [s]" offset 0,0.4
set label 1 "lateral give q  [m]" at screen 0.03,0.29
set key top left vertical
# The law of small wobbles goes through the largest one.
when = X_pos_max_y
largest = X_max_y > 0 ? X_max_y : 1
set yrange [-1.25*largest : 1.25*largest]
plot 'trajectory.csv' using 't':'xi' with lines lw 5 lc rgb green title "q", \
     largest*exp(growth*(x - when)) with lines lw 3 dt (8,5) lc rgb gray title sprintf("small wobbles, %.2g / s", growth), \
     -largest*exp(growth*(x - when)) with lines lw 3 dt (8,5) lc rgb gray notitle
unset multiplot

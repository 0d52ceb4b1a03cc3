# The balls of the first column over time, and what its contacts bear at the end.
set multiplot layout 1,2 margins 0.09,0.97,0.12,0.9 spacing 0.12,0
set title sprintf('%g balls come to rest', balls) offset 0,-0.3
set xlabel 't  [s]'
set ylabel 'height  [m]' offset 0,0
set xrange [0:T]
set yrange [0:*]
unset key
set palette defined (0 '#0072B2', 0.5 '#56B4E9', 1 '#E69F00')
unset colorbox
plot for [i=1:int(balls)] 'column.csv' using 't':'z'.i with lines lw 2 lc palette frac (balls > 1 ? (i - 1.0)/(balls - 1.0) : 0)
set title (error < 0 ? 'Contact forces at the end' : sprintf('At rest:  F = i m g  to %.0e', error)) offset 0,-0.3
set xlabel 'balls that the contact bears  i'
set ylabel 'force  [N]' offset 0.5,0
set xrange [0:balls + 1]
set yrange [0:1.12*one*balls]
set key top left Left reverse
plot one*x with lines lw 5 lc rgb yellow title 'i m g', \
     'forces.csv' using 'borne':'force' with points pt 7 ps 1.6 lc rgb blue title 'contact force'
unset multiplot

# How far the working ends give, and what the standing ends are pulled with.
set multiplot layout 2,1 margins 0.11,0.97,0.13,0.92 spacing 0,0.06
set title sprintf('A reef knot and a granny knot, μ = %g', friction) offset 0,-0.2
set xrange [rest:*]
set format x ''
set ylabel 'given  [mm]' offset 0.5,0
set key top left
plot 'reef.csv' using 't':(1e3*column('pulled')) with lines lw 1.5 lc rgb gray title 'pulled', \
     '' using 't':(1e3*column('given')) with lines lw 2.5 lc rgb blue title 'reef', \
     'granny.csv' using 't':(1e3*column('given')) with lines lw 2.5 lc rgb red title 'granny'
unset title
unset key
set format x '%g'
set xlabel 't  [s]'
set ylabel 'tension  [N]' offset 0.5,0
set yrange [0:*]
plot 'reef.csv' using 't':'tension' with lines lw 2.5 lc rgb blue, \
     'granny.csv' using 't':'tension' with lines lw 2.5 lc rgb red
unset multiplot

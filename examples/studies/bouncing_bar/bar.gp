# Gap and centre of mass, the force, and what contacts take, over time.
set multiplot layout 3,1 margins 0.11,0.97,0.1,0.98 spacing 0,0.03
set xrange [0:T]
set format x ''
set ylabel 'height  [m]' offset 0.5,0
set key top center horizontal maxrows 2
set yrange [*:*]
set offsets 0,0,graph 0.3,0
plot 'bar.csv' using 't':'gap_exact' with lines lw 6 lc rgb sky title 'gap, exact', \
     '' using 't':'gap' with lines lw 2 lc rgb blue title 'gap', \
     '' using 't':'centre_exact' with lines lw 6 lc rgb yellow title 'centre, exact', \
     '' using 't':'centre' with lines lw 2 lc rgb red title 'centre of mass'
set ylabel 'force  [N]' offset 0.5,0
plot 'bar.csv' using 't':'force_exact' with lines lw 6 lc rgb yellow title 'exact', \
     '' using 't':'force' with lines lw 1.5 lc rgb red title 'computed'
set format x '%g'
set xlabel 't  [s]'
set ylabel 'energy taken  [J]' offset 0.5,0
set yrange [0:*]
unset key
plot 'bar.csv' using 't':'energy' with lines lw 2.5 lc rgb purple
unset multiplot

# Twist and writhe, their sum, and what the rod answers to the hand that holds it.
set multiplot layout 3,1 margins 0.12,0.97,0.1,0.97 spacing 0,0.035
set xrange [0:t_end]
set format x ''
set ylabel 'turns' offset 0.5,0
set yrange [*:*]
set offsets graph 0,graph 0,graph 0.12,graph 0
set key at graph 0.95,graph 0.75 right
plot 'link.csv' using 't':'link' with lines lw 7 lc rgb yellow title 'link', \
     '' using 't':'twist' with lines lw 2.5 lc rgb blue title 'twist', \
     '' using 't':'writhe' with lines lw 2.5 lc rgb red title 'writhe'
unset offsets
set ylabel 'torque  [N m]' offset 0.5,0
set yrange [*:*]
unset key
plot 'link.csv' using 't':'torque' with lines lw 2.5 lc rgb green
set format x '%g'
set xlabel 't  [s]'
set ylabel '|link − turns|' offset 0.5,0
set logscale y
set format y '10^{%L}'
set yrange [1e-17:1e-12]
set mytics 1
plot 'link.csv' using 't':(abs(column('error')) > 1e-17 ? abs(column('error')) : NaN) with points pt 7 ps 0.35 lc rgb purple
unset multiplot

# Where the contact is on each rod.
set multiplot layout 2,1 margins 0.1,0.97,0.13,0.96 spacing 0,0.03
set format x ''
set ylabel 'contact on rod 1  s_1  [m]' offset 0.5,0
set format y '%.2f'
plot 'contact.csv' using 't':'s1' with lines lw 2 lc rgb blue notitle
set format x '%g'
set xlabel 't  [s]'
set ylabel 'contact on rod 2  s_2  [m]' offset 0.5,0
plot 'contact.csv' using 't':'s2' with lines lw 2 lc rgb orange notitle
unset multiplot

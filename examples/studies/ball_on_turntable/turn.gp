set title sprintf("The ball's velocity turns at %.4f of the table's rate", k/W) font ',30' offset 0,0.4
set xlabel "time  t  [s]"
set ylabel "turned since the start  [turns]"
set border 3
set tics nomirror
set key top left Left reverse
set xrange [0:T]
full = 2*pi
plot 'trajectory.csv' using 't':(W*column('t')/full) with lines lw 4 lc rgb gray title "the table,  Ωt", \
     'trajectory.csv' using 't':(k*column('t')/full) with lines lw 10 lc rgb yellow title (spiral ? "without friction,  I/(I + MR²) Ωt" : "closed form,  I/(I + MR²) Ωt"), \
     'trajectory.csv' using 't':(column('turn')/full) with lines lw 3.5 lc rgb blue title "computed,  direction of the ball's velocity"

set title "Rocard's tyre: the wobble dies out" font ',30' offset 0,0.3
set xlabel "t  [s]"
set ylabel "angle  [rad]" offset 1
set border 3
set tics nomirror
set xzeroaxis lw 1.5 lc rgb gray
set key top right
plot 'trajectory.csv' using 't':'epsilon' with lines lw 5 lc rgb red title "drift ε", \
     'trajectory.csv' using 't':'theta' with lines lw 5 lc rgb blue title "heading θ", \
     'trajectory.csv' using 't':(column('theta') - column('epsilon')) with lines lw 3 dt (8,5) lc rgb sky title "direction of the path θ − ε"

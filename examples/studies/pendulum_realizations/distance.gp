# How far from the circle.
set title sprintf("A spring stays, friction slides down, inertia drifts away, ε = %g", epsilon) font ',30' offset 0,0.4
set border 3
set tics nomirror
set xlabel "time  [s]"
set ylabel "distance from the pivot  r  [m]"
set key left top reverse Left
r(x, y) = sqrt(x**2 + y**2)
plot 'ideal.csv' using 't':(r(column('x'), column('y'))) with lines lw 5 lc rgb light title "ideal", \
     'inertia.csv' using 't':(r(column('x'), column('y'))) with lines lw 3 lc rgb green title "inertia", \
     'friction.csv' using 't':(r(column('x'), column('y'))) with lines lw 3 lc rgb red title "friction", \
     'potential.csv' using 't':(r(column('x'), column('y'))) with lines lw 3 lc rgb blue title "potential"

# Paths of the blade.
set title sprintf("A sleigh on a blade that slips, ε = %g", epsilon) font ',30' offset 0,0.4
set border 3
set tics nomirror
set size ratio -1
set xlabel "x  [m]"
set ylabel "y  [m]"
set key outside right center reverse Left
plot 'nonholonomic.csv' using 'x':'y' with lines lw 4 lc rgb orange title "constraint  v = 0", \
     'corrected.csv' using 'x':'y' with lines lw 8 lc rgb sky title sprintf("slow, order %d", order), \
     'trajectory.csv' using 'x':'y' with lines lw 3 lc rgb black title "friction", \
     'trajectory.csv' every ::0::0 using 'x':'y' with points pt 7 ps 2 lc rgb black notitle

# The pressure along rod 1, beside the closed form; the middle third is what is compared. The last nodes bear
# what those beyond them, which touch nothing, do not: they may lie above the picture.
set xlabel 'position along rod 1  s  [m]'
set ylabel 'pressure  q  [N/m]' offset 0.5,0
set yrange [0:1.5*exact]
set key bottom center
set object 1 rectangle from first thirds, graph 0 to first 2*thirds, graph 1 fillcolor rgb 0xEEF3F7 fillstyle solid noborder behind
plot 'pressure.csv' using 's1':'pressure_exact' with lines lw 2 lc rgb orange title 'closed form', \
     'pressure.csv' using 's1':'pressure' with linespoints pt 7 ps 0.8 lw 1.5 lc rgb blue title 'node by node'

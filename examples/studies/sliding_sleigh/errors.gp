# Errors at the end against ε and its halves, six values in all; dashed are the powers of ε through the last of them.
set title "Slow motions of order r are off by ε^{r+1}" font ',30' offset 0,0.4
set border 3
set tics nomirror
set logscale xy
set format '10^{%T}'
set xlabel "ε  [m/(N s)]"
set ylabel "distance from the motion under friction"
set key right bottom reverse Left
colours = "0xE69F00 0xD55E00 0x009E73 0x0072B2 0xCC79A7"
array start[order + 1]
do for [r=0:order] {
  stats 'errors.csv' using (column(r + 2)) every ::6::6 name 'F' nooutput
  start[r + 1] = F_max
}
plot for [r=0:order] start[r + 1]*(32*x/epsilon)**(r + 1) with lines lw 1.5 dt (6,6) lc rgb int(word(colours, r + 1)) notitle, \
     for [r=0:order] 'errors.csv' using 1:r + 2 with linespoints lw 3 pt 7 ps 1.6 lc rgb int(word(colours, r + 1)) \
       title sprintf("order %d", r)

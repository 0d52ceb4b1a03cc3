stats 'balance.csv' using 't' name 'T' nooutput
stats 'balance.csv' using (abs(column('error'))) name 'B' nooutput
set multiplot
set lmargin at screen 0.14; set rmargin at screen 0.97
set xrange [T_min:T_max]
set border 3
set tics nomirror
set format x ""
set tmargin at screen 0.92; set bmargin at screen 0.6
set title title font ',30' offset 0,0.3
set label 1 "energy  [J]" at screen 0.03,0.76 center rotate
set key top center horizontal samplen 3
plot 'balance.csv' using 't':'energy' with lines lw 6 lc rgb blue title "E", \
     'balance.csv' using 't':'expected' with lines lw 3 dt (6,6) lc rgb yellow title "E(0) + work of the reactions"
set tmargin at screen 0.55; set bmargin at screen 0.33
unset title
unset key
set label 1 "power  [W]" at screen 0.03,0.44
set xzeroaxis lw 1.5 lc rgb gray
plot 'balance.csv' using 't':'power' with lines lw 4 lc rgb red
set tmargin at screen 0.28; set bmargin at screen 0.08
unset xzeroaxis
set format x "%g"
set xlabel "t  [s]" offset 0,0.5
set label 1 "|error|  [J]" at screen 0.03,0.18
set logscale y
set format y "10^{%T}"
largest = B_max > 0 ? B_max : 1e-15
set yrange [largest*1e-4:largest*4]
plot 'balance.csv' using 't':(abs(column('error')) > largest*1e-4 ? abs(column('error')) : NaN) with lines lw 2.5 lc rgb green
unset multiplot

# The path of a system, what it is known for over time, and its errors: columns of `file`.
stats file using path_x:path_y name 'P' nooutput
stats file using 't' name 'T' nooutput
largest = 1e-16
do for [i=1:words(errors)] {
  stats file using (abs(column(word(errors, i)))) name 'E' nooutput
  if (E_max > largest) { largest = E_max }
}
set multiplot
set border 3
set tics nomirror
set label 1 title at screen 0.5,0.95 center font ',32' textcolor rgb black
set size ratio -1
set bmargin at screen 0.13; set tmargin at screen 0.84
set lmargin at screen 0.095; set rmargin at screen 0.555
shape = 0.71*1050/(0.46*2000)
wide = 1.15*(P_max_x - P_min_x); high = 1.15*(P_max_y - P_min_y)
if (wide*shape < high) { wide = high/shape } else { high = wide*shape }
if (wide == 0) { wide = 1; high = shape }
set xlabel sprintf("%s  [%s]", path_x, unit_x) noenhanced
set ylabel sprintf("%s  [%s]", path_y, unit_y) offset 0.5 noenhanced
set title path_title offset 0,-0.3
set xrange [(P_min_x + P_max_x - wide)/2 : (P_min_x + P_max_x + wide)/2]
if (downwards) { set yrange [(P_min_y + P_max_y + high)/2 : (P_min_y + P_max_y - high)/2] } else { set yrange [(P_min_y + P_max_y - high)/2 : (P_min_y + P_max_y + high)/2] }
unset grid
set key at graph 0.98,0.99 right top reverse Left samplen 1
plot file using path_x:path_y with lines lw 3.5 lc rgb blue notitle, \
     file every ::0::0 using path_x:path_y with points pt 7 ps 2.2 lc rgb orange title "start"
unset label 1
set size noratio
set lmargin at screen 0.65; set rmargin at screen 0.975
set xrange [T_min:T_max]
set yrange [*:*]
set offsets 0,0,graph 0.3,graph 0.08
set grid
set format x ""
set xlabel ""
set key noenhanced inside right top horizontal maxrows 1 samplen 1.4 width -0.5
array colour[4] = [blue, red, green, orange]
set tmargin at screen 0.84; set bmargin at screen 0.52
set title series_title
set ylabel sprintf("[%s]", series_unit) offset 0.5 noenhanced
plot for [i=1:words(series)] file using 't':(column(word(series, i))) with lines lw 3 lc rgb colour[i] title word(series, i)
set offsets 0,0,0,0
set tmargin at screen 0.42; set bmargin at screen 0.13
set format x "%g"
set xlabel "t  [s]" enhanced
set title "errors"
set ylabel sprintf("[%s]", error_unit) offset 0.5 noenhanced
set logscale y
# Above the curves there is room for the key.
set yrange [1e-17:10**(log10(largest) + (0.2 + 0.4*words(errors))*(log10(largest) + 17))]
set format y "10^{%T}"
shown(x) = abs(x) > 1e-17 ? abs(x) : 1e-17
plot for [i=1:words(errors)] file using 't':(shown(column(word(errors, i)))) with lines lw 2.5 lc rgb colour[i] title word(errors, i)
unset multiplot

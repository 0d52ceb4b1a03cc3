far = sqrt(xc**2 + yc**2) + r
stats 'trajectory.csv' using (sqrt(column('x')**2 + column('y')**2)) name 'P' nooutput
if (spiral) { far = P_max }
half = 1.2*far
set multiplot
set border 3
set tics nomirror
unset grid
set size ratio -1
set xrange [-half:half]
set yrange [-half:half]
set xlabel "x  [m]"
set ylabel "y  [m]" offset 1
decade = 10**floor(log10(half)); step = half >= 5*decade ? 2*decade : half >= 2*decade ? decade : decade/2
set xtics step; set ytics step
set parametric
set trange [0:2*pi]
set samples 400
set bmargin at screen 0.19; set tmargin at screen 0.9
set lmargin at screen 0.06; set rmargin at screen 0.5
set title (spiral ? "In space: a spiral" : "In space: a circle") font ',30'
set style arrow 1 head filled size graph 0.022,22 fixed lw 4 lc rgb gray
a0 = 0.62*pi
da = W > 0 ? 0.05 : -0.05
set arrow 1 from 1.1*far*cos(a0),1.1*far*sin(a0) to 1.1*far*cos(a0 + da),1.1*far*sin(a0 + da) as 1
set label 1 "table" at 1.16*far*cos(a0 - 0.09),1.16*far*sin(a0 - 0.09) center textcolor rgb gray
set key at screen 0.5,0.035 center bottom horizontal maxrows 1 Left reverse samplen 1.5 width 1
plot 1.1*far*cos(t),1.1*far*sin(t) with lines lw 3 lc rgb light notitle, \
     0,0 with points pt 1 ps 2 lw 2 lc rgb gray notitle, \
     'trajectory.csv' using 'x_exact':'y_exact' with lines lw 9 lc rgb yellow title "closed form", \
     'trajectory.csv' using 'x':'y' with lines lw 3 lc rgb blue title "computed", \
     x0,y0 with points pt 7 ps 2.4 lc rgb orange title "start"
unset arrow 1
unset label 1
set lmargin at screen 0.55; set rmargin at screen 0.99
set title "Seen from the table"
set ylabel ""
set xlabel "x of the table  [m]"
plot 1.1*far*cos(t),1.1*far*sin(t) with lines lw 3 lc rgb light notitle, \
     0,0 with points pt 1 ps 2 lw 2 lc rgb gray notitle, \
     'trajectory.csv' using 'x_table':'y_table' with lines lw 3 lc rgb red notitle, \
     x0,y0 with points pt 7 ps 2.4 lc rgb orange notitle
unset multiplot

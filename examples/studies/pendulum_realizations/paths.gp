# The three paths side by side, each beside the circle of the ideal pendulum.
set multiplot layout 1,3 title sprintf("A rod that is a spring, a friction or an inertia, ε = %g", epsilon) font ',30' margins 0.05,0.985,0.16,0.82 spacing 0.06,0.05
set border 3
set tics nomirror
set size ratio -1
set xlabel "x  [m]"
set parametric
set trange [0:2*pi]
set samples 300
do for [i=1:3] {
  name = word("potential friction inertia", i)
  set title name offset 0,-0.5
  plot cos(t),sin(t) with lines lw 5 lc rgb light notitle, \
       name.'.csv' using 'x':'y' with lines lw 2.5 lc rgb (i == 1 ? blue : i == 2 ? red : green) notitle, \
       name.'.csv' every ::0::0 using 'x':'y' with points pt 7 ps 1.8 lc rgb black notitle, \
       0,0 with points pt 6 ps 1.2 lc rgb gray notitle
}
unset multiplot

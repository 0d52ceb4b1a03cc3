# u against ω: the sleigh runs from the unstable half of the axis to the stable one.
ALIGN_BACK = stable < 0 ? "left" : "right"; ALIGN_AHEAD = stable < 0 ? "right" : "left"
set title "Chaplygin sleigh: its blade ends up behind the centre of mass" font ',30' offset 0,0.4
set xlabel "speed along the blade  u  [m/s]"
set ylabel "turning rate  ω  [rad/s]"
set xrange [-1.45*k:1.45*k]
set yrange [side > 0 ? -0.25*k/root : -1.45*k/root : side > 0 ? 1.45*k/root : 0.25*k/root]
unset grid
set border 3
set tics nomirror
set parametric
set trange [0:pi]
set samples 400
u(q, s) = -stable*q*k*cos(s)
w(q, s) = side*q*k/root*sin(s)
set style arrow 1 head filled size graph 0.022,22 fixed lw 5
set arrow from u(1, 0.28*pi),w(1, 0.28*pi) to u(1, 0.29*pi),w(1, 0.29*pi) as 1 lc rgb red front
set arrow from u(1, 0.74*pi),w(1, 0.74*pi) to u(1, 0.75*pi),w(1, 0.75*pi) as 1 lc rgb blue front
set label "blade leads" at u(1.06, 0.25*pi),w(1.06, 0.25*pi) @ALIGN_BACK textcolor rgb red
set label "blade trails" at u(1.06, 0.75*pi),w(1.06, 0.75*pi) @ALIGN_AHEAD textcolor rgb blue
set label "unstable" at -stable*0.5*k,-side*0.1*k/root center textcolor rgb orange
set label "stable" at stable*0.5*k,-side*0.1*k/root center textcolor rgb green
if (cusp) { set label "cusp of the path" at 0,side*0.9*k/root center textcolor rgb black }
plot for [q in "0.4 0.7 1.38"] u(q+0, t),w(q+0, t) with lines lw 2 lc rgb light notitle, \
     -stable*1.4*k*t/pi,0 with lines lw 5 dt (8,6) lc rgb orange notitle, \
     stable*1.4*k*t/pi,0 with lines lw 5 lc rgb green notitle, \
     'trajectory.csv' using (column('u')*stable <= 0 ? column('u') : NaN):'omega' with lines lw 6 lc rgb red notitle, \
     'trajectory.csv' using (column('u')*stable >= 0 ? column('u') : NaN):'omega' with lines lw 6 lc rgb blue notitle, \
     cusp ? 0 : NaN,side*k/root with points pt 7 ps 2.5 lc rgb black notitle

stats 'trajectory.csv' using 'x':'y' name 'P' nooutput
set multiplot
set border 3
set tics nomirror
unset grid
set size ratio -1
set bmargin at screen 0.13; set tmargin at screen 0.84
set lmargin at screen 0.07; set rmargin at screen 0.57
shape = 0.71*1050/(0.5*2000)
wide = 1.15*(P_max_x - P_min_x); high = 1.15*(P_max_y - P_min_y)
if (wide*shape < high) { wide = high/shape } else { high = wide*shape }
if (wide < R) { wide = R; high = wide*shape }
set xlabel "x  [m]"
set ylabel "y  [m]" offset 1
set label 1 (model eq 'chaplygin' ? "Chaplygin's ball: its mass is spread unevenly" : model eq 'rubber' ? "A rubber ball of uneven mass: no slip, no spin" : \
             model eq 'elastic' ? "An elastic ball rolls straight on, without spin" : "A rigid ball rolls straight on, and spins as it likes") \
  at screen 0.5,0.95 center font ',32' textcolor rgb black
set title "the track of its contact on the plane" offset 0,-0.3
set xrange [(P_min_x + P_max_x - wide)/2 : (P_min_x + P_max_x + wide)/2]
set yrange [(P_min_y + P_max_y - high)/2 : (P_min_y + P_max_y + high)/2]
set key at graph 0.02,0.98 left top reverse Left samplen 1
plot 'trajectory.csv' using 'x':'y' with lines lw 4 lc rgb blue notitle, \
     'trajectory.csv' every ::0::0 using 'x':'y' with points pt 7 ps 2.4 lc rgb orange title "start"
unset label 1
set title "and on the ball" offset 0,-0.3
unset xlabel; unset ylabel; unset key
unset border; unset tics
set lmargin at screen 0.61; set rmargin at screen 0.99
set xrange [-1.12:1.12]; set yrange [-1.12:1.12]
# The ball from afar, from (st cp, st sp, ct), where most of the track is; its surface is −γ at the contact.
stats 'trajectory.csv' using (-column('gamma1')):(-column('gamma2')) name 'G' nooutput
stats 'trajectory.csv' using (-column('gamma3')) name 'H' nooutput
G = sqrt(G_mean_x**2 + G_mean_y**2 + H_mean**2)
theta = G > 0.1 ? acos(H_mean/G) : 1.05
theta = theta < 0.4 ? 0.4 : theta > pi - 0.4 ? pi - 0.4 : theta
phi = (G > 0.1 ? atan2(G_mean_y, G_mean_x) : 0.2) + 0.3
ct = cos(theta); st = sin(theta); cp = cos(phi); sp = sin(phi)
across(x, y, z) = -sp*x + cp*y
up(x, y, z) = -ct*cp*x - ct*sp*y + st*z
near(x, y, z) = st*cp*x + st*sp*y + ct*z > 0
cx(x, y, z) = near(x, y, z) ? across(x, y, z) : NaN
fx(x, y, z) = near(x, y, z) ? NaN : across(x, y, z)
set parametric
set trange [0:2*pi]
set samples 721
set object 1 circle at 0,0 size 1 fillcolor rgb 0xF4F7FA fillstyle solid noborder behind
do for [axis=1:3] {
  do for [side=-1:1:2] {
    ax = side*(axis == 1); ay = side*(axis == 2); az = side*(axis == 3)
    if (near(ax, ay, az)) { set label axis sprintf('%d', axis) at across(ax, ay, az),up(ax, ay, az) offset 1,0.7 center textcolor rgb gray }
  }
}
plot cos(t),sin(t) with lines lw 2 lc rgb gray, \
     cx(cos(t),sin(t),0),up(cos(t),sin(t),0) with lines lw 1.2 lc rgb gray, \
     cx(0,cos(t),sin(t)),up(0,cos(t),sin(t)) with lines lw 1.2 lc rgb gray, \
     cx(sin(t),0,cos(t)),up(sin(t),0,cos(t)) with lines lw 1.2 lc rgb gray, \
     fx(cos(t),sin(t),0),up(cos(t),sin(t),0) with lines lw 1 dt 3 lc rgb light, \
     fx(0,cos(t),sin(t)),up(0,cos(t),sin(t)) with lines lw 1 dt 3 lc rgb light, \
     fx(sin(t),0,cos(t)),up(sin(t),0,cos(t)) with lines lw 1 dt 3 lc rgb light, \
     'trajectory.csv' using (fx(-column('gamma1'),-column('gamma2'),-column('gamma3'))):(up(-column('gamma1'),-column('gamma2'),-column('gamma3'))) with lines lw 1.2 lc rgb sky, \
     'trajectory.csv' using (cx(-column('gamma1'),-column('gamma2'),-column('gamma3'))):(up(-column('gamma1'),-column('gamma2'),-column('gamma3'))) with lines lw 3 lc rgb blue, \
     'trajectory.csv' every ::0::0 using (cx(-column('gamma1'),-column('gamma2'),-column('gamma3'))):(up(-column('gamma1'),-column('gamma2'),-column('gamma3'))) with points pt 7 ps 2.4 lc rgb orange
unset multiplot

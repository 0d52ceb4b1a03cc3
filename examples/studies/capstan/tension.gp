# The tension along the angle against what equations (3) or (4) say, and how both ends settle.
stats 'tension.csv' using 'tension_exact' name 'T' nooutput
set multiplot layout 2,1 margins 0.1,0.97,0.1,0.92 spacing 0,0.15
set title (bending > 0 ? \
  sprintf('A rod over a turning drum, μ = %g,  EI = %g T_1r^2:  point forces where it leaves the drum', friction, bending) : \
  sprintf('A rod over a turning drum, μ = %g:  T = T_1 e^{kθ},  k = %.5f', friction, k)) offset 0,-0.2
set xlabel 'angle of the element  θ  [rad]'
set ylabel 'tension  [N]' offset 0.5,0
set xrange [-0.02*angle:1.02*angle]
set yrange [0.9*T_min:1.15*T_max]
set logscale y
set ytics (1,1.2,1.5,2,2.5,3,4,5,7,10,15,20)
do for [i=-6:6] { set ytics add (10.0**i,2*10.0**i,5*10.0**i) }
set key top left Left reverse
plot 'tension.csv' using 'angle':'tension_exact' with lines lw 5 lc rgb orange title 'exact', \
     '' using 'angle':'tension' with points pt 7 ps 1.1 lc rgb blue title 'computed'
unset title
set xrange [0:*]
unset logscale
set ytics autofreq
set yrange [0:1.15*T_max]
set xlabel 't  [s]'
set key center right
plot 'settling.csv' using 't':'T2' with lines lw 2.5 lc rgb red title 'T_2, clamped', \
     '' using 't':'T1' with lines lw 2.5 lc rgb green title 'T_1, pulled'
unset multiplot

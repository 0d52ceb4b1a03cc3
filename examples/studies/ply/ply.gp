# The ply, its axis to the right: rod 1 in blues, rod 2 in oranges; the pale sectors show that its rods are not twisted.
set pm3d depthorder noborder corners2color c1
set pm3d lighting primary 0.5 specular 0.25
set palette maxcolors 4 defined (0 '#0072B2', 1 '#A8D4F2', 2 '#D97A00', 3 '#FFDFA6')
set cbrange [0:1.5]
unset colorbox; unset border; unset tics; unset grid; unset key
set view equal xyz
set view 65, 0
set xyplane relative 0
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
# gnuplot leaves wide margins around a surface
set multiplot
set size 1.7,5.8
set origin -0.35,-2.4
splot 'ply.dat' using 1:2:3:4 with pm3d
unset multiplot

# The net where it is struck deepest: rods along x in blues, those along y in oranges, the deeper the more vivid, on their frame.
set pm3d depthorder noborder corners2color c1
set pm3d lighting primary 0.45 specular 0.35
set palette defined (0 '#8FD3FE', 0.999 '#003F88', 1 '#FFC04D', 1.999 '#C81D25', 2 '#3A3F47', 2.999 '#3A3F47', 3 '#E3E6EA', 4 '#E3E6EA')
set cbrange [0:4]
unset colorbox; unset border; unset tics; unset grid; unset key
set view equal xyz
set view 54,30,2.03
set xyplane relative 0
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
set origin 0.03,-0.005
splot 'net.dat' using 1:2:3:4 with pm3d

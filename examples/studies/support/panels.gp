# Six surfaces, three a row: `stem`_0.dat, … at `times`, seen from `turn_x` and `turn_z` [deg], `scale` wide.
# What has the colour 0 is in blues, what has 1 in oranges; the pale sectors show how things turn.
set pm3d depthorder noborder corners2color c1
set pm3d lighting primary 0.5 specular 0.2
set palette maxcolors 4 defined (0 '#0072B2', 1 '#A8D4F2', 2 '#D97A00', 3 '#FFDFA6')
set cbrange [0:1.5]
unset colorbox; unset border; unset tics; unset grid; unset key
set view equal xyz
set view turn_x, turn_z
set xyplane relative 0
set multiplot
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
# gnuplot leaves wide margins around a surface; the panels overlap by them.
set size scale,1.75*scale
do for [i=0:count-1] {
  x = (i%3 + 0.5)/3
  y = 0.74 - 0.5*(i/3)
  set origin x - scale/2,y - 0.875*scale
  unset label
  set label sprintf("t = %.3f s", real(word(times, i + 1))) at screen x,y + 0.22 center font ',26'
  splot sprintf('%s_%d.dat', stem, i) using 1:2:3:4 with pm3d
}
unset multiplot

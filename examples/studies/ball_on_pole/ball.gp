# The ball on the pole at six times of a swing, shape_0.dat, … at `times`: the ball in orange, its path as a tube. `low`, `high`, `wide` bound them [m].
set pm3d depthorder noborder corners2color c1
set pm3d lighting primary 0.5 specular 0.2
set palette maxcolors 4 defined (0 '#0072B2', 1 '#A8D4F2', 2 '#D97A00', 3 '#FFDFA6')
set cbrange [0:1.5]
unset colorbox; unset border; unset tics; unset grid; unset key
set xrange [-wide:wide]; set yrange [-wide:wide]; set zrange [low:high]
set view equal xyz
set view 76,110
set xyplane relative 0
set multiplot
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
# gnuplot leaves wide margins around a surface; the panels overlap by them.
set size 0.37,1.48
do for [i=0:count-1] {
  x = (i + 0.5)/count
  set origin x - 0.163,0.54 - 0.74
  unset label
  set label sprintf("t = %.3f s", real(word(times, i + 1))) at screen x,0.05 center font ',26'
  splot sprintf('shape_%d.dat', i) using 1:2:3:4 with pm3d
}
unset multiplot

# The rod that was laid wound up, at three times: its loop shrinks, and it winds itself tight.
set pm3d depthorder noborder corners2color c1
set pm3d lighting primary 0.5 specular 0.2
set palette maxcolors 4 defined (0 '#0072B2', 1 '#A8D4F2', 2 '#D97A00', 3 '#FFDFA6')
set cbrange [0:1.5]
unset colorbox; unset border; unset tics; unset grid; unset key
set view equal xyz
set view 88,70
set xyplane relative 0
set xrange [x0 - radius:x1 + radius]
set yrange [y0 - radius:y1 + radius]
set zrange [z0 - radius:z1 + radius]
set multiplot
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
do for [i=0:2] {
  n = (i == 0 ? 0 : i == 1 ? 2 : 5)
  unset label
  set label sprintf("t = %.3f s", real(word(times, n + 1))) at screen (i + 0.5)/3,0.05 center font ',24'
  set size 0.62,1.25
  set origin (i + 0.5)/3 - 0.31,-0.1
  splot sprintf('shape_%d.dat', n) using 1:2:3:4 with pm3d
}
unset multiplot

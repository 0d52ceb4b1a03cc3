# Six surfaces beside each other at one scale: `stem`_0.dat, … at `times`, `apart` metres from one to the next, the longest `height` metres high.
set pm3d depthorder noborder corners2color c1
set pm3d lighting primary 0.5 specular 0.2
set palette maxcolors 4 defined (0 '#0072B2', 1 '#A8D4F2', 2 '#D97A00', 3 '#FFDFA6')
set cbrange [0:1.5]
unset colorbox; unset border; unset tics; unset grid; unset key
set view equal xyz
set view 88, 0
set xyplane relative 0
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
set size 3,3
set origin -1,-0.95
set zrange [-height:0.1*height]
do for [i=0:count-1] {
  set label i + 1 sprintf("t = %.3f s", real(word(times, i + 1))) at apart*i,0,0.08*height center font ',24'
}
splot for [i=0:count-1] sprintf('%s_%d.dat', stem, i) using ($1 + apart*i):2:3:4 with pm3d

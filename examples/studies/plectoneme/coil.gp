# The rod at six times, two a row: straight, twisted, and as it coils up. The pale sectors show how it is twisted.
set pm3d depthorder noborder corners2color c1
set pm3d lighting primary 0.5 specular 0.2
set palette maxcolors 4 defined (0 '#0072B2', 1 '#A8D4F2', 2 '#D97A00', 3 '#FFDFA6')
set cbrange [0:1.5]
unset colorbox; unset border; unset tics; unset grid; unset key
set view equal xyz
set view 66,8
set xyplane relative 0
room = (y1 - y0 > z1 - z0 ? y1 - y0 : z1 - z0)/2 + radius
set xrange [x0 - radius:x1 + radius]
set yrange [(y0 + y1)/2 - room:(y0 + y1)/2 + room]
set zrange [(z0 + z1)/2 - room:(z0 + z1)/2 + room]
set multiplot
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
# gnuplot leaves wide margins around a surface; the panels overlap by them.
number(list, i) = (x0 = real(word(list, i + 1)), abs(x0) < 0.005 ? 0 : x0)
wide = 0.88; high = 1.6
set size wide,high
do for [i=0:count-1] {
  x = (i%2 + 0.5)/2
  y = 0.83 - (i/2)/3.0
  set origin x - wide/2,y - 0.03 - high/2
  unset label
  set label sprintf("t = %.3f s     twist %.2f     writhe %.2f", real(word(times, i + 1)), number(twists, i), number(writhes, i)) at screen x,y + 0.085 center font ',24'
  splot sprintf('shape_%d.dat', i) using 1:2:3:4 with pm3d
}
unset multiplot

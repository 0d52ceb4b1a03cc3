# The shapes of a flight, or of a swing, in the colours of their bending moment, with the paths of the middle and of the free end.
set pm3d depthorder noborder corners2color mean
set pm3d lighting primary 0.45 specular 0.25
set palette defined (0 '#1B3A6B', 0.2 '#0072B2', 0.4 '#56B4E9', 0.6 '#F0E442', 0.8 '#E69F00', 1 '#D55E00')
set cbrange [0:most]
set colorbox horizontal user origin screen bar,0.12 size screen 0.3,0.02
set cblabel 'bending moment  [N m]' offset 0,0.5
unset border; unset tics; unset grid; unset key
unit = 10**floor(log10(most))
set cbtics most > 5*unit ? 2*unit : unit
set cbtics scale 0.3 textcolor rgb black offset 0,0.3
set view equal xyz
set xyplane relative 0
# gnuplot leaves wide margins around a surface: the plot is larger than the picture
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
set size zoom,zoom
set origin 0.5 - zoom/2,centre - zoom/2
set view turn_x,turn_z
# a time stands at each free end that is not where the last one stood
x0 = y0 = z0 = 1e9
apart(x, y, z) = (x - x0)**2 + (y - y0)**2 + (z - z0)**2 > near**2
mark(t, x, y, z) = apart(x, y, z) ? (x0 = x, y0 = y, z0 = z, sprintf(words, t)) : ''
splot 'shapes.dat' using 1:2:3:4 with pm3d, \
      'flight.csv' using (column('t') <= until ? column('end_x') : NaN):'end_y':'end_z' with lines lw 0.8 lc rgb gray, \
      '' using (path && column('t') <= until ? column('x') : NaN):'y':'z' with lines lw 2 lc rgb black, \
      'shapes.csv' using 'mark_x':'mark_y':'mark_z':(mark(column('t'), column('mark_x'), column('mark_y'), column('mark_z'))) \
      with labels font ',18' tc rgb black

# Real and imaginary parts of the eigenvalues along the parameter; lines, areas and names are set already. `colours` has a word a curve.
set title title font ',30' offset 0,2.2
set xlabel parameter
set ylabel "eigenvalues  [1/s]"
set xrange [from:to]
set yrange [low:high]
set border 3
set tics nomirror
unset grid
set xzeroaxis lt 1 dt 1 lw 1.5 lc rgb gray
set tmargin at screen 0.84
set rmargin at screen 0.97
# Covers the spikes of mitred joins where a curve starts level on the axis.
set object rectangle from graph -0.009,0 to graph -0.0015,1 fc rgb 0xffffff fs solid noborder front noclip
if (crowded) { set key at screen 0.1,0.94 left top reverse Left samplen 3 } else { set key at screen 0.97,0.94 right top samplen 3 }
imaginary(i) = column('im_'.i) > 0 ? column('im_'.i) : NaN
plot for [i=1:words(colours)] 'eigenvalues.csv' using 1:(imaginary(i)) with lines lw 2 dt (8,5) lc rgb value(word(colours, i)) notitle, \
     for [i=1:words(colours)] 'eigenvalues.csv' using 1:'re_'.i with lines lw 4 lc rgb value(word(colours, i)) notitle, \
     NaN with lines lw 4 lc rgb black title "real part", \
     for [i=1:swings] NaN with lines lw 2 dt (8,5) lc rgb black title "imaginary part"

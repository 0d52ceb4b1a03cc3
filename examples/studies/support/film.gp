# Pixels that were drawn already, film_0.rgb, … in rows from the top, one after the other.
set terminal gif animate delay 100/rate loop 0 size picture_width,picture_height
set output 'film.gif'
unset border; unset tics; unset key; unset grid
set lmargin at screen 0; set rmargin at screen 1; set tmargin at screen 1; set bmargin at screen 0
set xrange [-0.5:picture_width - 0.5]; set yrange [-0.5:picture_height - 0.5]
do for [i=0:count - 1] {
  plot sprintf('film_%d.rgb', i) binary array=(picture_width,picture_height) flipy format='%uchar' using 1:2:3 with rgbimage
}

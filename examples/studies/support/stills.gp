# Pixels that were drawn already, `pixels` in rows from the top, with labels.
unset border; unset tics; unset key; unset grid
set lmargin at screen 0; set rmargin at screen 1; set tmargin at screen 1; set bmargin at screen 0
set style textbox opaque noborder fillcolor rgb '#ffffff'
set xrange [-0.5:picture_width - 0.5]; set yrange [-0.5:picture_height - 0.5]
plot pixels binary array=(picture_width,picture_height) flipy format='%uchar' using 1:2:3 with rgbimage

# What every picture begins with: `picture`, `picture_width` and `picture_height` are set already.
# Colours are Okabe and Ito's, which colour-blind people tell apart, as variables for `lc rgb`.
if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {
  set terminal pngcairo size picture_width,picture_height font 'DejaVu Sans,24' linewidth 2 background '#ffffff'
} else {
  set terminal png size picture_width,picture_height giant
}
set output picture
set datafile separator comma
set datafile commentschars '#'
set encoding utf8
blue = 0x0072B2; orange = 0xE69F00; green = 0x009E73; red = 0xD55E00
sky = 0x56B4E9; yellow = 0xF0E442; purple = 0xCC79A7; gray = 0x999999; light = 0xDDDDDD; black = 0x222222
set border lc rgb gray lw 0.7
set tics textcolor rgb black
set key textcolor rgb black samplen 2 spacing 1.3
set grid lc rgb light lw 0.5

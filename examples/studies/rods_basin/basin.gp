# How far the contact has gone on each rod; runs that came to an end of their own in a colour for each kind.
set multiplot
unset grid
set border 0
set tics nomirror out scale 0.6
set xrange [strike_min:strike_max]; set yrange [hook_min:hook_max]
# A little more than half, so that nothing shows between them.
dx = 0.52 * (strike_max - strike_min) / columns; dy = 0.52 * (hook_max - hook_min) / rows
array colour[6] = [0x222222, yellow, green, purple, 0x777777, 0xbbbbbb]
shade(i) = i <= 6 ? colour[i] : gray
set style fill solid 1 noborder
set xlabel "velocity with which rod 1 is struck  [m/s]"
set tmargin at screen 0.88; set bmargin at screen 0.3
set label 1 sprintf("Two rolling rods after %g s: how far their contact has gone", T) at screen 0.5,0.955 center font ',30'
set colorbox horizontal user size 0.36,0.03
unset key
do for [i=1:words(kinds)] {
  at = 0.08 + 0.23 * ((i - 1) % 4); row = 0.055 - 0.035 * ((i - 1) / 4)
  set object i rectangle at screen at,screen row size screen 0.02,screen 0.025 fc rgb shade(i) fs solid noborder front
  set label 10 + i word(kinds, i) at screen at + 0.018,screen row left
}
set palette defined (0 '#0072B2', 1 '#9fd3ee', 2 '#f4f1e4', 3 '#f2b27a', 4 '#D55E00')
# As far to either side, so that white is where it does not go.
stats 'basin.csv' using (column('kind') == 0 ? abs(column('shift1')) : NaN) name 'one' nooutput
stats 'basin.csv' using (column('kind') == 0 ? abs(column('shift2')) : NaN) name 'two' nooutput
least = 1e-6
top(x) = x > least ? x : least
most = top(one_max > two_max ? one_max : two_max)
set cbrange [-most:most]
decade = 10.0**floor(log10(most))
set cbtics decade * (most > 4 * decade ? 2 : most > 2 * decade ? 1 : 0.5)
set lmargin at screen 0.075; set rmargin at screen 0.49
set colorbox user origin 0.103,0.145
set title "on rod 1  [m]" offset 0,-0.3
set ylabel "hook  [m]" offset 1.6,0
plot 'basin.csv' using (column('strike')):(column('hook')):(dx):(dy):(column('kind') == 0 ? column('shift1') : NaN) with boxxyerror lc palette notitle, \
     for [i=1:words(kinds)] '' using (column('kind') == i ? column('strike') : NaN):(column('hook')):(dx):(dy) with boxxyerror lc rgb shade(i) notitle
unset label
do for [i=1:words(kinds)] { unset object i }
set lmargin at screen 0.565; set rmargin at screen 0.98
set colorbox user origin 0.593,0.145
set title "on rod 2  [m]" offset 0,-0.3
unset ylabel
plot 'basin.csv' using (column('strike')):(column('hook')):(dx):(dy):(column('kind') == 0 ? column('shift2') : NaN) with boxxyerror lc palette notitle, \
     for [i=1:words(kinds)] '' using (column('kind') == i ? column('strike') : NaN):(column('hook')):(dx):(dy) with boxxyerror lc rgb shade(i) notitle
unset multiplot

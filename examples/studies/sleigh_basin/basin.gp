set multiplot
unset grid
set border 0
set tics nomirror out scale 0.6
set xrange [-speed:speed]; set yrange [-spin:spin]
set xlabel "speed along the blade at the start  u₀  [m/s]"
set tmargin at screen 0.88; set bmargin at screen 0.24
set colorbox horizontal user size 0.36,0.03
set label 1 sprintf("Chaplygin's sleigh after %g s, from every start", T) at screen 0.5,0.955 center font ',30'
set lmargin at screen 0.075; set rmargin at screen 0.49
set title "heading at the end  [rad]" offset 0,-0.3
set ylabel "turning rate at the start  ω₀  [rad/s]"
set palette defined (0 '#2d1e3e', 1 '#0072B2', 2 '#9fd3ee', 3 '#f4f1e4', 4 '#f2b27a', 5 '#D55E00', 6 '#2d1e3e')
set cbrange [-pi:pi]; set cbtics ('−π' -pi, '−π/2' -pi/2, '0' 0, 'π/2' pi/2, 'π' pi)
set colorbox user origin 0.103,0.09
plot 'basin.csv' using 'u0':'omega0':'heading' with image notitle
unset label 1
set lmargin at screen 0.565; set rmargin at screen 0.98
set title "distance from the start at the end  [m]"
unset ylabel
set palette defined (0 '#fcfcf0', 1 '#d3e9c5', 2 '#8ccfb4', 3 '#3aa7b5', 4 '#0072B2', 5 '#1b2f6b')
set cbrange [0:*]; set cbtics auto
set colorbox user origin 0.593,0.09
plot 'basin.csv' using 'u0':'omega0':'distance' with image notitle
unset multiplot

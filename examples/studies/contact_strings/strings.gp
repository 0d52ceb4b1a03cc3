# Left, the first string over place and time, with the path of the contact on it; right, what the first harmonic is made of.
set multiplot
set tics out nomirror scale 0.6
unset grid
set label 1 'Two strings in rolling contact,  '.subtitle at screen 0.5,0.965 center font ',30'

set lmargin at screen 0.065; set rmargin at screen 0.42
set tmargin at screen 0.86; set bmargin at screen 0.115
set title 'first string  u(x, t)  [m]' offset 0,-0.4
set border 15
set xrange [0:length]; set yrange [0:T]
set xlabel 'x  [m]' offset 0,0.4
set ylabel 't  [s]' offset 1,0
set palette defined (0 '#053061', 1 '#2166AC', 2 '#67A9CF', 3 '#D1E5F0', 4 '#FFFFFF', 5 '#FDDBC7', 6 '#EF8A62', 7 '#B2182B', 8 '#67001F')
range = largest > 0 ? largest : 1
set cbrange [-range:range]
set colorbox user origin 0.432,0.115 size 0.012,0.745
set cbtics offset -0.6,0
set key at graph 0.985,0.985 right top opaque nobox samplen 1.5 font ',20'
if (!periodic) {
  plot 'string.csv' nonuniform matrix using 1:2:3 with image notitle, \
       'path.csv' using 's1':'t' with lines lw 5 lc rgb '#ffffff' notitle, \
       'path.csv' using 's1':'t' with lines lw 2.6 lc rgb '#000000' title 'contact'
} else {
  plot 'string.csv' nonuniform matrix using 1:2:3 with image notitle, \
       'path.csv' using 's1':'t' with points pt 7 ps 0.5 lc rgb '#000000' title 'contact'
}

unset colorbox
unset label 1
set border 3
set lmargin at screen 0.565; set rmargin at screen 0.985
set title 'spectrum of the first harmonic,  S(ω/ω₀)  [dB]' offset 0,-0.4
set xrange [0:10]; set yrange [-100:6]
set xtics 1
set grid x y lc rgb light lw 0.7
set xlabel 'ω/ω₀' offset 0,0.4
unset ylabel
set key at graph 0.99,0.99 right top opaque nobox samplen 2 font ',22'
set label 2 exponent at graph 0.985,0.84 right font ',22' tc rgb black
plot 'spectrum.csv' using 'ratio':'free' with filledcurves y1=-100 fc rgb sky fs solid 0.55 noborder notitle, \
     'spectrum.csv' using 'ratio':'free' with lines lw 1.6 lc rgb blue title 'free string', \
     'spectrum.csv' using 'ratio':'contact' with lines lw 1.3 lc rgb red title 'in contact'
unset multiplot

# Exponents against the amplitude, a panel for each system; below the gray line an exponent is not told from the log t/t of a regular motion.
set multiplot
set logscale x
set xlabel "U/c"
set xtics (0.05, 0.1, 0.2, 0.5, 1)
before = settling > 1 ? settling : 1
regular = log((periods + before)/before)/periods
systems = "strings rods net"
titles = "'two strings that roll' 'two rods that roll' 'a woven net'"
set tmargin at screen 0.80; set bmargin at screen 0.17
set label 1 sprintf("The %g largest Lyapunov exponents, measured over %g periods", exponents, periods) at screen 0.5,0.955 center font ',30'
set label 2 "red: the largest, with its error;  blue: the last;  dashed: what a regular motion shows in this time" at screen 0.5,0.895 center
set label 3 "U/c: peak velocity of the strike over the speed of transverse waves" at screen 0.5,0.025 center
set palette defined (0 '#D55E00', 1 '#E69F00', 2 '#009E73', 3 '#0072B2')
unset colorbox
set cbrange [1:exponents > 1 ? exponents : 2]
set key off
set xrange [0.8*smallest:2.5*largest]
do for [k=1:3] {
  file = word(systems, k).'.csv'
  set lmargin at screen 0.085 + 0.313*(k - 1)
  set rmargin at screen 0.335 + 0.313*(k - 1)
  set title word(titles, k) offset 0,-0.3
  if (k == 1) { set ylabel "λ × period of the slowest wave" offset 1,0 } else { unset ylabel }
  plot 0 with lines lw 0.7 lc rgb black, regular with lines dt 2 lw 1.5 lc rgb gray, \
       for [i=exponents:1:-1] file every exponents::(i - 1) using 'amplitude':'exponent_per_period' with linespoints pt 7 ps 0.8 lw 1.2 lc palette cb i, \
       file every exponents::0 using 'amplitude':'exponent_per_period':'error_per_period' with yerrorbars pt 7 ps 0.8 lw 1.5 lc palette cb 1
  unset label 1; unset label 2; unset label 3
}
unset multiplot

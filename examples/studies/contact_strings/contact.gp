# Where the contact is on both strings, the force in it, and how well the energy is kept.
set multiplot layout 3,1 margins 0.11,0.97,0.09,0.97 spacing 0,0.03
set xrange [0:T]
set format x ''
set ylabel 'contact  [m]' offset 0.5,0
set key top right horizontal
set offsets 0,0,graph 0.22,0
plot 'contact.csv' using 't':'s1' with lines lw 2 lc rgb blue title 's₁', \
     'contact.csv' using 't':'s2' with lines lw 2 lc rgb orange title 's₂'
unset offsets
set ylabel 'λ  [m²/s²]' offset 0.5,0
plot 'contact.csv' using 't':'lambda' with lines lw 1.5 lc rgb green notitle
set format x '%g'
set xlabel 't  [s]' offset 0,0.3
set ylabel 'first harmonic  [m]' offset 0.5,0
plot 'contact.csv' using 't':'u1' with lines lw 1.5 lc rgb red notitle
unset multiplot

# What the ends do and how the tension answers.
set multiplot layout 2,1 margins 0.11,0.97,0.13,0.92 spacing 0,0.06
set title sprintf('A clove hitch, μ = %g', friction) offset 0,-0.2
set xrange [rest:*]
set format x ''
set ylabel 'moved  [mm]' offset 0.5,0
set key top left
plot 'hitch.csv' using 't':(1e3*column('pulled')) with lines lw 2.5 lc rgb blue title 'standing end, pulled', \
     '' using 't':(1e3*column('given')) with lines lw 2.5 lc rgb red title 'working end, given'
unset title
unset key
set format x '%g'
set xlabel 't  [s]'
set ylabel 'T₁/T₀  [1]' offset 0.5,0
set yrange [0:*]
plot 'hitch.csv' using 't':'ratio' with lines lw 2.5 lc rgb green
unset multiplot

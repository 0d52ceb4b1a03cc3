# The normal forces of all contacts, between the smallest and the largest at each time, and how deep the net is.
set multiplot layout 2,1 margins 0.1,0.97,0.13,0.96 spacing 0,0.03
set yrange [0:*]
set format x ''
set ylabel 'normal forces  λ_n  [N]' offset 0.5,0
set style fill solid 0.25 noborder
plot 'ledger.csv' using 't':'lambda_normal_min':'lambda_normal_max' with filledcurves lc rgb blue title 'smallest to largest', \
     '' using 't':'lambda_normal_mean' with lines lw 1.5 lc rgb blue title 'mean'
set format x '%g'
set xlabel 't  [s]'
set yrange [*:0]
set ylabel 'lowest point of the net  [m]' offset 0.5,0
plot 'ledger.csv' using 't':'height' with lines lw 1.5 lc rgb red notitle
unset multiplot

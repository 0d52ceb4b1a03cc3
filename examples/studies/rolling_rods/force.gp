# The normal force, and the share of the friction cone that rolling takes.
set multiplot layout 2,1 margins 0.1,0.97,0.13,0.96 spacing 0,0.03
set yrange [0:*]
set format x ''
set ylabel 'normal force  λ_n  [N]' offset 0.5,0
plot 'contact.csv' using 't':'lambda_n' with lines lw 1.5 lc rgb blue notitle
set format x '%g'
set xlabel 't  [s]'
set ylabel 'cone utilisation  |λ_t| / λ_n' offset 0.5,0
plot 'ledger.csv' using 't':'cone_utilisation' with lines lw 1.5 lc rgb red notitle
unset multiplot

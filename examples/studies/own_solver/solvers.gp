# Difference against work, of the solvers in `names`.
colour(solver) = solver eq 'IDA' ? red : solver eq 'odeint dopri5' ? orange : solver eq 'DormandPrince54' ? blue : \
                 solver eq 'RungeKutta4' ? sky : green
key(solver) = solver eq 'odeint dopri5' ? 'odeint_dopri5' : solver
set logscale xy
set format x '10^{%L}'
set format y '10^{%L}'
set key bottom left reverse Left
set xlabel 'evaluations of the forces'
set ylabel meaning
set title name.': the same equations in our solvers and in others' font ',30'
visible(x) = x > 1e-17 ? x : 1e-17
plot for [i=1:words(names)] sprintf('%s_%s.csv', name, key(word(names, i))) using 'calls':(visible(column('difference'))) \
     with linespoints lw 4 pt 7 ps 2 lc rgb colour(word(names, i)) title word(names, i)

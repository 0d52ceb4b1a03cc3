# How far the capsule goes, over what is reported of regularised friction.
set title sprintf('%g g between two plates, %g N, μ = %g', 1000*mass, force, friction) offset 0,-0.3
set xlabel 't  [s]'
set ylabel 'creep  [m]'
set xrange [0:T]
set logscale y
set format y '10^{%T}'
least = 1e-18
set yrange [least:(farthest > 1e-3 ? 10*farthest : 1e-2)]
set key at graph 0.97,0.6 right
set samples 5000
plot '+' using ($1 > 0 ? $1 : NaN):(5e-5*$1):(1.55e-4*$1) with filledcurves fs solid 0.35 noborder lc rgb orange title 'regularised friction, as reported: 50 to 155 μm/s', \
     'grip.csv' using 't':(column('creep') > least ? column('creep') : least) with lines lw 4 lc rgb blue title 'Coulomb''s law, here'

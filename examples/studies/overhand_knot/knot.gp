# The traction against the tightness of the knot, beside what is known of loose knots and of long braids.
stats 'knot.csv' using (column('t') > rest ? turns**2*radius/column('shortening') : NaN) name 'X' nooutput
stats 'knot.csv' using (column('t') > rest && column('traction') > 0 ? unit*column('traction') : NaN) name 'Y' nooutput
set title sprintf('A knot of %d turn%s, μ = %g', turns, turns > 1 ? 's' : '', friction) offset 0,-0.2
set xlabel 'tightness  n^2a/e'
set ylabel 'traction  Ta^2/B' offset 0.5,0
set logscale xy
set format y '10^{%T}'
set xrange [X_min/2:X_max*2]
set yrange [Y_min/4:Y_max*4]
set key top left Left reverse
set xtics (0.001,0.002,0.005,0.01,0.02,0.05,0.1,0.2)
plot 'loose.csv' using 'tightness':'tightens' with lines lw 2 lc rgb red title 'loose knots, R = e/2π, tightening', \
     '' using 'tightness':(column('loosens') > 0 ? column('loosens') : NaN) with lines lw 2 lc rgb green title 'loosening', \
     'long_braids.csv' using 'tightness':(column('friction') > 0 ? column('friction') : NaN) with lines lw 2 dt 2 lc rgb black title 'long braids, friction alone', \
     'knot.csv' using (column('t') > rest && column('t') < tight ? turns**2*radius/column('shortening') : NaN):(unit*column('traction')) \
       with lines lw 3 lc rgb blue title 'computed, tightening', \
     '' using (column('t') >= tight ? turns**2*radius/column('shortening') : NaN):(unit*column('traction')) \
       with lines lw 3 lc rgb sky title 'loosening'

# The traction along the pull, as the knot tightens and loosens.
set title sprintf('An overhand knot, μ = %g: what its ends are pulled with', friction) offset 0,-0.2
set xlabel 'ends pulled apart by  [m]'
set ylabel 'traction  [N]' offset 0.5,0
set yrange [0:*]
set key off
plot 'knot.csv' using (column('t') > rest ? column('pull') : NaN):'traction' with lines lw 2.5 lc rgb blue

# Speeds against time, and the slip as it falls onto the slow motion.
set multiplot layout 3,1 title sprintf("Friction, and the slow motion that it leaves, ε = %g", epsilon) font ',30' margins 0.13,0.97,0.09,0.92 spacing 0.05,0.07
set border 3
set tics nomirror
set key right bottom reverse Left
do for [name in "u v omega"] {
  set ylabel name eq "omega" ? "turning rate  ω  [rad/s]" : name eq "u" ? "along the blade  u  [m/s]" : "across it  v  [m/s]"
  set xlabel name eq "omega" ? "time  [s]" : ""
  if (name ne "u") { unset key }
  plot 'nonholonomic.csv' using 't':name with lines lw 4 lc rgb orange title "constraint  v = 0", \
       'corrected.csv' using 't':name with lines lw 8 lc rgb sky title sprintf("slow, order %d", order), \
       'trajectory.csv' using 't':name with lines lw 3 lc rgb black title "friction"
}
unset multiplot

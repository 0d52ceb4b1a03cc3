# What every study promises: help, and exit status 2 for an argument that it does not know.
foreach(name IN LISTS studies)
  dalembert_run_test(NAME example.${name}.help LABELS examples COMMAND $<TARGET_FILE:${name}> --help OUTPUT "--out")
  dalembert_run_test(NAME example.${name}.refuses LABELS examples STATUS 2 OUTPUT "no-such-argument"
    COMMAND $<TARGET_FILE:${name}> --no-such-argument 1)
endforeach()

# smoke_test(name argument...): the study <name> runs with these arguments and leaves its summary.
function(smoke_test name)
  if(TARGET ${name})
    dalembert_run_test(NAME example.${name} LABELS examples FILES result/summary.json
      COMMAND $<TARGET_FILE:${name}> --out result ${ARGN})
  endif()
endfunction()

smoke_test(chaplygin_sleigh --t-end 2)
if(TARGET chaplygin_sleigh)
  # Bad arguments are named, with status 2; what goes wrong later is status 1.
  dalembert_run_test(NAME example.chaplygin_sleigh.rule LABELS examples STATUS 2 OUTPUT "--m: the value -1 must be positive"
    COMMAND $<TARGET_FILE:chaplygin_sleigh> --m -1)
  dalembert_run_test(NAME example.chaplygin_sleigh.not_finite LABELS examples STATUS 2 OUTPUT "--dt: the value nan"
    COMMAND $<TARGET_FILE:chaplygin_sleigh> --dt nan)
  dalembert_run_test(NAME example.chaplygin_sleigh.choice LABELS examples STATUS 2 OUTPUT "--integrator: the value foo"
    COMMAND $<TARGET_FILE:chaplygin_sleigh> --integrator foo)
  dalembert_run_test(NAME example.chaplygin_sleigh.unwritable LABELS examples STATUS 1 OUTPUT "/dev/null/x"
    COMMAND $<TARGET_FILE:chaplygin_sleigh> --out /dev/null/x)
  dalembert_run_test(NAME example.chaplygin_sleigh.fails LABELS examples STATUS 1 OUTPUT "last good state at t"
    FILES out/chaplygin_sleigh/trajectory.csv
    COMMAND $<TARGET_FILE:chaplygin_sleigh> --omega 1000 --t-end 1 --dt 0.01)
endif()

smoke_test(own_system --t-end 2)
if(TARGET own_system)
  dalembert_run_test(NAME example.own_system.rule LABELS examples STATUS 2 OUTPUT "--I: the value 0 must be positive"
    COMMAND $<TARGET_FILE:own_system> --I 0)
  dalembert_run_test(NAME example.own_system.choice LABELS examples STATUS 2 OUTPUT "--integrator: the value foo"
    COMMAND $<TARGET_FILE:own_system> --integrator foo)
  dalembert_run_test(NAME example.own_system.unwritable LABELS examples STATUS 1 OUTPUT "/dev/null/x"
    COMMAND $<TARGET_FILE:own_system> --out /dev/null/x)
endif()

smoke_test(own_solver --t-end 2 --rods-t-end 1e-3 --tolerance 1e-8)
if(TARGET own_solver)
  dalembert_run_test(NAME example.own_solver.agrees LABELS examples OUTPUT "The solvers agree"
    COMMAND $<TARGET_FILE:own_solver> --t-end 3 --tolerance 1e-9)
  dalembert_run_test(NAME example.own_solver.range LABELS examples STATUS 2
    OUTPUT "--tolerance: the value 1e-3 must lie between" COMMAND $<TARGET_FILE:own_solver> --tolerance 1e-3)
  dalembert_run_test(NAME example.own_solver.size LABELS examples STATUS 2 OUTPUT "--elements: the value 41"
    COMMAND $<TARGET_FILE:own_solver> --elements 41)
  dalembert_run_test(NAME example.own_solver.choice LABELS examples STATUS 2 OUTPUT "--system: the value skate"
    COMMAND $<TARGET_FILE:own_solver> --system skate)
endif()

smoke_test(rolling_ball --t-end 2)
if(TARGET rolling_ball)
  dalembert_run_test(NAME example.rolling_ball.elastic LABELS examples FILES result/summary.json
    OUTPUT "velocity_violation_max +[0-9.e-]+ +largest violation of velocity rows"
    COMMAND $<TARGET_FILE:rolling_ball> --out result --model elastic --t-end 2)
  dalembert_run_test(NAME example.rolling_ball.rule LABELS examples STATUS 2 OUTPUT "--I1: the value 2 makes a principal moment"
    COMMAND $<TARGET_FILE:rolling_ball> --I1 2)
endif()

smoke_test(ball_on_turntable --t-end 2)
if(TARGET ball_on_turntable)
  dalembert_run_test(NAME example.ball_on_turntable.rule LABELS examples STATUS 2 OUTPUT "must be positive"
    COMMAND $<TARGET_FILE:ball_on_turntable> --M -1)
endif()

smoke_test(rocard_tire --t-end 2)
if(TARGET rocard_tire)
  dalembert_run_test(NAME example.rocard_tire.rule LABELS examples STATUS 2 OUTPUT "--psidot: the value 0"
    COMMAND $<TARGET_FILE:rocard_tire> --psidot 0)
endif()
smoke_test(greidanus_tire --t-end 2)

smoke_test(sleigh_basin --columns 13 --rows 7 --t-end 2)
if(TARGET sleigh_basin)
  dalembert_run_test(NAME example.sleigh_basin.rule LABELS examples STATUS 2 OUTPUT "--a: the value 0 must not be 0"
    COMMAND $<TARGET_FILE:sleigh_basin> --a 0)
endif()

if(TARGET rolling_rods)
  dalembert_run_test(NAME example.rolling_rods.size LABELS examples STATUS 2 OUTPUT "elements = 100000000, but a rod has at most"
    COMMAND $<TARGET_FILE:rolling_rods> --elements 100000000)
endif()

smoke_test(woven_net --rods 2 --elements 40 --t-end 0.01)
if(TARGET woven_net)
  dalembert_run_test(NAME example.woven_net.rule LABELS examples STATUS 2 OUTPUT "spacing = 0.01, but a rod needs room"
    COMMAND $<TARGET_FILE:woven_net> --spacing 0.01)
endif()

smoke_test(ply --elements 60)
if(TARGET ply)
  dalembert_run_test(NAME example.ply.rule LABELS examples STATUS 2 OUTPUT "--angle: the value 95 must be less than 90"
    COMMAND $<TARGET_FILE:ply> --angle 95)
  dalembert_run_test(NAME example.ply.shears LABELS examples STATUS 2 OUTPUT "stretch = 5, but it is too large"
    COMMAND $<TARGET_FILE:ply> --stretch 5)
endif()

smoke_test(integrator_comparison --case sleigh --steps 50)
if(TARGET integrator_comparison)
  dalembert_run_test(NAME example.integrator_comparison.rods LABELS examples FILES result/summary.json result/rods.csv
    COMMAND $<TARGET_FILE:integrator_comparison> --out result --case rods --rod-elements 12 --rod-t-end 2e-3)
  dalembert_run_test(NAME example.integrator_comparison.choice LABELS examples STATUS 2 OUTPUT "--case: the value foo"
    COMMAND $<TARGET_FILE:integrator_comparison> --case foo)
endif()

smoke_test(stability --system sleigh --points 11)
if(TARGET stability)
  dalembert_run_test(NAME example.stability.bicycle LABELS examples FILES result/summary.json result/eigenvalues.csv
    OUTPUT "weave_speed +4\\.292382536 m/s.*stable_from +4\\.292382536 m/s.*stable_to +6\\.024262015 m/s"
    COMMAND $<TARGET_FILE:stability> --out result --points 11)
  dalembert_run_test(NAME example.stability.disc LABELS examples OUTPUT "critical_speed +1\\.808314132 m/s"
    COMMAND $<TARGET_FILE:stability> --system disc --points 21)
  dalembert_run_test(NAME example.stability.greidanus LABELS examples OUTPUT "divergence_speed +7\\.745966692 rad/s"
    COMMAND $<TARGET_FILE:stability> --system greidanus --points 21)
  dalembert_run_test(NAME example.stability.shimmy LABELS examples OUTPUT "shimmy_stiffness +7\\.5 N m/rad"
    COMMAND $<TARGET_FILE:stability> --system greidanus --along k-eps --points 21)
  dalembert_run_test(NAME example.stability.rocard LABELS examples OUTPUT "oscillation_begins +0\\.5 rad/s"
    COMMAND $<TARGET_FILE:stability> --system rocard --points 21)
  dalembert_run_test(NAME example.stability.choice LABELS examples STATUS 2 OUTPUT "--system: the value foo"
    COMMAND $<TARGET_FILE:stability> --system foo)
  dalembert_run_test(NAME example.stability.rule LABELS examples STATUS 2 OUTPUT "--to: the value 2 must be more than --from"
    COMMAND $<TARGET_FILE:stability> --from 3 --to 2)
endif()

smoke_test(rolling_ring --t-end 0.03)
if(TARGET rolling_ring)
  dalembert_run_test(NAME example.rolling_ring.frequency LABELS examples OUTPUT "frequency +483\\.18[0-9]+ rad/s"
    COMMAND $<TARGET_FILE:rolling_ring> --t-end 0.03 --frames 0)
  dalembert_run_test(NAME example.rolling_ring.rule LABELS examples STATUS 2 OUTPUT "--radius: the value 0.06 must be less"
    COMMAND $<TARGET_FILE:rolling_ring> --radius 0.06)
endif()

smoke_test(rocking_rod --t-end 0.5)
if(TARGET rocking_rod)
  dalembert_run_test(NAME example.rocking_rod.period LABELS examples OUTPUT "period +0\\.61289[0-9]+ s.*period_rigid +0\\.6128984539 s"
    COMMAND $<TARGET_FILE:rocking_rod> --t-end 0.5 --frames 0)
  dalembert_run_test(NAME example.rocking_rod.fails LABELS examples STATUS 1 OUTPUT "ContactOpened"
    FILES out/rocking_rod/rocking.csv COMMAND $<TARGET_FILE:rocking_rod> --angle 1.4 --frames 0)
  dalembert_run_test(NAME example.rocking_rod.rule LABELS examples STATUS 2 OUTPUT "--radius: the value 0.06 must be less"
    COMMAND $<TARGET_FILE:rocking_rod> --radius 0.06)
endif()

smoke_test(ball_on_pole --t-end 0.2)
if(TARGET ball_on_pole)
  dalembert_run_test(NAME example.ball_on_pole.rigid LABELS examples OUTPUT "frequency +16\\.035[0-9]+ rad/s.*frequency_exact +16\\.03567451 rad/s"
    COMMAND $<TARGET_FILE:ball_on_pole> --pole rigid --spin 60 --dt 1e-4 --t-end 0.5 --frames 0)
  dalembert_run_test(NAME example.ball_on_pole.fails LABELS examples STATUS 1 OUTPUT "ContactAtEnd"
    FILES out/ball_on_pole/climb.csv COMMAND $<TARGET_FILE:ball_on_pole> --pole rigid --height 0.03 --dt 1e-4)
  dalembert_run_test(NAME example.ball_on_pole.rule LABELS examples STATUS 2 OUTPUT "--turning: the value 0 must not be 0"
    COMMAND $<TARGET_FILE:ball_on_pole> --turning 0)
endif()

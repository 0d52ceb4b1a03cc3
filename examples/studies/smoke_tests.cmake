# What every study promises: help, and exit status 2 for an argument that it does not know.
foreach(name IN LISTS studies)
  dalembert_run_test(NAME example.${name}.help LABELS examples COMMAND $<TARGET_FILE:${name}> --help OUTPUT "--out")
  dalembert_run_test(NAME example.${name}.refuses LABELS examples STATUS 2 OUTPUT "no-such-argument"
    COMMAND $<TARGET_FILE:${name}> --no-such-argument 1)
endforeach()

# smoke_test(name argument...): the study <name> runs with these arguments and leaves its summary, and the page that plays it if it has a shape.
# finer_rods(name argument...): rods of more elements take shorter steps by themselves.
function(finer_rods name)
  if(TARGET ${name})
    dalembert_run_test(NAME example.${name}.finer LABELS examples FILES result/summary.json
      COMMAND $<TARGET_FILE:${name}> --out result ${ARGN})
  endif()
endfunction()
finer_rods(rolling_rods --elements 400 --t-end 2e-3 --frames 0)
finer_rods(slipping_rods --elements 160 --t-end 2e-3)
finer_rods(woven_net --rods 2 --elements 300 --t-end 2e-3 --frames 0)
finer_rods(plectoneme --elements 400 --t-end 2e-3 --frames 0)
finer_rods(rolling_ring --elements 256 --t-end 1e-3 --frames 0)
finer_rods(rocking_rod --elements 40 --t-end 1e-3 --frames 0)
finer_rods(ball_on_pole --elements 40 --t-end 1e-3 --frames 0)
finer_rods(integrator_comparison --case rods --rod-elements 60 --rod-t-end 2e-3)

set(studies_without_shape integrator_comparison own_solver rods_basin rods_lyapunov sleigh_basin stability)
function(smoke_test name)
  if(TARGET ${name})
    set(files result/summary.json)
    if(NOT name IN_LIST studies_without_shape)
      list(APPEND files result/view.html)
    endif()
    dalembert_run_test(NAME example.${name} LABELS examples FILES ${files}
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
    FILES out/chaplygin_sleigh/trajectory.csv HOLDS out/chaplygin_sleigh/view.html "\"reached\":0[^,]*,\"planned\":1,\"error\":\"[^\"]*last good state at t"
    COMMAND $<TARGET_FILE:chaplygin_sleigh> --omega 1000 --t-end 1 --dt 0.01)
endif()

if(TARGET chaplygin_sleigh)
  find_program(FFMPEG ffmpeg)
  find_program(GNUPLOT gnuplot)
  find_program(FFPROBE ffprobe)
  if(FFMPEG)
    set(pictures ":")
    set(says "")
    if(FFPROBE)
      set(pictures "${FFPROBE} -v error -count_frames -show_entries stream=width,height,nb_read_frames -of csv result/film.mp4")
      set(says "stream,1280,720,250")
    endif()
    dalembert_run_test(NAME example.chaplygin_sleigh.film LABELS examples FILES result/film.mp4 OUTPUT "${says}" TIMEOUT 180
      COMMAND sh -c "$<TARGET_FILE:chaplygin_sleigh> --out result --t-end 0.5 --film mp4 && ${pictures}")
  endif()
  if(UNIX)
    # Rows that a full disk has no room for are missed though they are less than a buffer.
    dalembert_run_test(NAME example.chaplygin_sleigh.full_disk LABELS examples STATUS 1 OUTPUT "cannot write result/trajectory.csv"
      COMMAND sh -c "trap '' XFSZ && ulimit -f 4 && exec $<TARGET_FILE:chaplygin_sleigh> --out result --t-end 0.04")
    # A run whose page cannot be written has not come to its end.
    dalembert_run_test(NAME example.chaplygin_sleigh.no_page LABELS examples STATUS 1 OUTPUT "cannot write result/view.html"
      HOLDS result/summary.json "\"finished\": false,[^}]*\"error\": \"cannot write result/view.html"
      COMMAND sh -c "mkdir -p result/view.html && exec $<TARGET_FILE:chaplygin_sleigh> --out result --t-end 0.04")
    # A page has the pictures of its run, and none that lay in the folder before.
    set(own ":")
    if(GNUPLOT)
      set(own "grep -q 'alt=.path.' result/view.html")
    endif()
    dalembert_run_test(NAME example.chaplygin_sleigh.own_pictures LABELS examples FILES result/foreign.png
      COMMAND sh -c "mkdir result && echo foreign > result/foreign.png && $<TARGET_FILE:chaplygin_sleigh> --out result --t-end 0.04 && ${own} && ! grep -q foreign result/view.html")
    # A run that is interrupted ends as one that fails, with whole rows; the second signal ends the program at once. In the
    # foreground `timeout` sends one signal, else one to the program and one to its group.
    find_program(TIMEOUT timeout)
    if(TIMEOUT)
      foreach(signal IN ITEMS INT TERM)
        dalembert_run_test(NAME example.chaplygin_sleigh.interrupted_${signal} LABELS examples STATUS 1 OUTPUT "interrupted at t = "
          FILES result/trajectory.csv result/view.html
          HOLDS result/summary.json "\"finished\": false,[^}]*\"error\": \"interrupted at t = "
          COMMAND sh -c "${TIMEOUT} --foreground --preserve-status -s ${signal} 2 $<TARGET_FILE:chaplygin_sleigh> --out result --t-end 200 --dt 1e-6 || ( status=$? &&
            ( grep -q 'error\":\"interrupted at t = ' result/view.html && awk -F, 'NR > 2 && NF != 8 { exit 1 }' result/trajectory.csv || exit 9 ) && exit $status )")
      endforeach()
    endif()
    dalembert_run_test(NAME example.chaplygin_sleigh.interrupted_twice LABELS examples STATUS 143
      # On a busy machine the run may be over before the second signal comes: tried until it is not.
      COMMAND sh -c "for try in 1 2 3 4 5\ndo
        $<TARGET_FILE:chaplygin_sleigh> --out result --t-end 200 --dt 1e-6 & pid=$! && sleep 1
        while kill -TERM $pid 2> /dev/null\ndo :\ndone\nwait $pid && exit 0\n[ $? = 143 ] && exit 143\ndone\nexit 1")
    # Without ffmpeg nothing is computed; one that ends early is reported, and the run is whole.
    dalembert_run_test(NAME example.chaplygin_sleigh.film_without LABELS examples STATUS 2 OUTPUT "mp4 needs ffmpeg"
      COMMAND sh -c "PATH=/nowhere exec $<TARGET_FILE:chaplygin_sleigh> --film mp4")
    dalembert_run_test(NAME example.chaplygin_sleigh.film_fails LABELS examples STATUS 1 OUTPUT "failed: ffmpeg"
      HOLDS result/view.html "\"planned\":0.5,\"error\":null"
      COMMAND sh -c "printf '#!/bin/sh\\ntest \"$1\" = -version' > ffmpeg && chmod +x ffmpeg && PATH=$PWD:$PATH exec $<TARGET_FILE:chaplygin_sleigh> --out result --t-end 0.5 --film mp4")
  endif()
  if(FFMPEG OR GNUPLOT)
    dalembert_run_test(NAME example.chaplygin_sleigh.gif LABELS examples FILES result/film.gif
      COMMAND $<TARGET_FILE:chaplygin_sleigh> --out result --t-end 2 --film gif)
  endif()
  dalembert_run_test(NAME example.chaplygin_sleigh.glb LABELS examples FILES result/scene.glb HOLDS result/scene.glb "glTF"
    COMMAND $<TARGET_FILE:chaplygin_sleigh> --out result --t-end 2 --glb)
  dalembert_run_test(NAME example.chaplygin_sleigh.no_film LABELS examples STATUS 2 OUTPUT "--film: avi not in"
    COMMAND $<TARGET_FILE:chaplygin_sleigh> --film avi)
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
  dalembert_run_test(NAME example.ball_on_turntable.friction LABELS examples
    OUTPUT "friction_work +-0\\.027[0-9]+ J.*closed_form_error_max +[0-9.]+e-1[0-9] m"
    COMMAND $<TARGET_FILE:ball_on_turntable> --friction 5e-5 --t-end 40 --frames 1)
  dalembert_run_test(NAME example.ball_on_turntable.rule LABELS examples STATUS 2 OUTPUT "must be positive"
    COMMAND $<TARGET_FILE:ball_on_turntable> --M -1)
endif()

if(TARGET gallery)
  # A page for each system.
  dalembert_run_test(NAME example.gallery LABELS examples
    FILES result/summary.json result/rattleback.html result/snakeboard.html result/whipple_bicycle.html
    COMMAND $<TARGET_FILE:gallery> --out result --t-end 0.5)
endif()
if(TARGET gallery)
  # gallery_test(system figure...): what a system is known for, and how far it is from its closed form or what it keeps.
  function(gallery_test system)
    set(figures "")
    foreach(figure IN LISTS ARGN)
      string(APPEND figures "${system}_${figure} .*")
    endforeach()
    dalembert_run_test(NAME example.gallery.${system} LABELS examples FILES result/${system}.csv result/${system}.html
      OUTPUT "${figures}" COMMAND $<TARGET_FILE:gallery> --out result --system ${system})
  endfunction()
  gallery_test(knife_edge "across +6\\.3028[0-9]+ m" "closed_form_error +[0-9.]+e-1[0-9] m")
  gallery_test(vertical_disk "force_aside +0\\.576 N" "closed_form_error +[0-9.]+e-1[0-9] ")
  gallery_test(nonholonomic_particle "z_final +-?[0-9.]+e-1[0-9] m" "closed_form_error +[0-9.]+e-1[0-9] m")
  gallery_test(snakeboard "speed +3\\.3097[0-9]+ m/s" "power_balance_error +[0-9.]+e-0[67] J" "momentum_error +[0-9.]+e-07 N m s")
  gallery_test(suslov "W1_ratio +-0\\.998[0-9]+" "W2_ratio +-1\\.000[0-9]+" "closed_form_error +[0-9.]+e-1[0-9] rad/s")
  gallery_test(rolling_disc "height_error +[0-9.]+e-1[5-9] m" "energy_change +[0-9.]+e-0[89] J")
  gallery_test(rattleback "spin_initial +-5 rad/s" "spin_final +4\\.9[0-9]+ rad/s" "energy_change +[0-9.]+e-07 J")
  gallery_test(rubber_ball "momentum_change +[0-9.]+e-1[23] N m s" "energy_change +[0-9.]+e-1[23] J")
  gallery_test(elastic_ball "redundant_rows +1" "closed_form_error +[0-9.]+e-1[3-9]" "reaction +0 N")
  gallery_test(viscoelastic_ball "growth +5\\.7050[0-9]+" "closed_form_error +[0-9.]+e-1[01] m")
  gallery_test(chaotic_oscillator "energy_change +[0-9.]+e-(09|10) ")
  gallery_test(pendulum_driver "turns +17\\.974[0-9]+" "driven_change +[0-9.]+e-09 " "driver_change +[0-9.]+e-10 ")
  gallery_test(whipple_bicycle "lean_initial +0\\.15 rad" "lean_final +0\\.0165[0-9]+ rad" "energy_change +[0-9.]+e-07 J")
  dalembert_run_test(NAME example.gallery.choice LABELS examples STATUS 2 OUTPUT "--system: the value foo must be one of all"
    COMMAND $<TARGET_FILE:gallery> --system foo)
  dalembert_run_test(NAME example.gallery.rule LABELS examples STATUS 2 OUTPUT "--dt: the value -1 must not be negative"
    COMMAND $<TARGET_FILE:gallery> --dt -1)
endif()

smoke_test(clothoid --t-end 2)
if(TARGET clothoid)
  # More than ten turns beside Fresnel's integrals.
  dalembert_run_test(NAME example.clothoid.ten_turns LABELS examples
    OUTPUT "heading_final +64 rad.*closed_form_error_max +[0-9.]+e-1[0-9] m.*energy_error_max +[0-9.]+e-1[0-9] J"
    COMMAND $<TARGET_FILE:clothoid> --kappa0 0 --rate 0.5 --t-end 16)
  dalembert_run_test(NAME example.clothoid.rule LABELS examples STATUS 2 OUTPUT "--v: the value 0 must be positive"
    COMMAND $<TARGET_FILE:clothoid> --v 0)
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
  dalembert_run_test(NAME example.sleigh_basin.members LABELS examples STATUS 2 OUTPUT "--members: the value 5:2 must be all, or A:B"
    COMMAND $<TARGET_FILE:sleigh_basin> --members 5:2)
  dalembert_run_test(NAME example.sleigh_basin.piece LABELS examples FILES out/sleigh_basin/members.runs
    OUTPUT "members +20 .*members_kept +0 .*state_hash +[0-9a-f][0-9a-f]+"
    COMMAND $<TARGET_FILE:sleigh_basin> --columns 13 --rows 7 --t-end 2 --members 10:30)
  dalembert_run_test(NAME example.sleigh_basin.collect LABELS examples STATUS 1 OUTPUT "nothing.runs: is not there"
    COMMAND $<TARGET_FILE:sleigh_basin> --collect nothing.runs)
  # Pieces of an ensemble that are put together are the whole, byte for byte.
  set(study "$<TARGET_FILE:sleigh_basin> --columns 13 --rows 7 --t-end 2")
  dalembert_run_test(NAME example.sleigh_basin.pieces LABELS examples FILES c/basin.csv OUTPUT "members +91 "
    COMMAND sh -c "${study} --out a --members 0:40 && ${study} --out b --members 40:91 && ${study} --out d &&
      ${study} --out c --collect a/members.runs,b/members.runs && cmp c/members.runs d/members.runs && cmp c/basin.csv d/basin.csv")
  if(TARGET dalembert::mpi AND MPIEXEC_EXECUTABLE)
    set(ranks ${CMAKE_COMMAND} -E env OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
      ${MPIEXEC_EXECUTABLE} -n 3 $<TARGET_FILE:sleigh_basin> --over ranks --columns 13 --rows 7 --t-end 2)
    dalembert_run_test(NAME example.sleigh_basin.ranks LABELS examples FILES out/sleigh_basin/basin.csv
      OUTPUT "members +91 .*closed_form_error_max +[0-9.]+e-(09|1[0-9]) " COMMAND ${ranks})
    # No rank sees a terminal: progress is told all the same, by one of them.
    dalembert_run_test(NAME example.sleigh_basin.ranks_progress LABELS examples OUTPUT "^ *1\n$"
      COMMAND sh -c "\"$@\" 2>&1 | grep -a -o 'K0 of 91 members, 0 failed' | wc -l" sh ${ranks})
  else()
    dalembert_run_test(NAME example.sleigh_basin.ranks LABELS examples STATUS 2 OUTPUT "--over: the value ranks needs MPI"
      COMMAND $<TARGET_FILE:sleigh_basin> --over ranks)
  endif()
endif()
smoke_test(rods_basin --columns 3 --rows 2 --t-end 0.06)
if(TARGET rods_basin)
  # Gentle strikes let the rods roll, hard ones part those that are hardly hooked.
  dalembert_run_test(NAME example.rods_basin.ends LABELS examples FILES out/rods_basin/basin.csv out/rods_basin/members.runs
    OUTPUT "members +9 .*failed +[2-8] .*ended_by_ContactOpened +[2-8] .*shift1_max +0\\.0[0-9]+ m.*energy_change_max +(0\\.00|[0-9.]+e-0)"
    COMMAND $<TARGET_FILE:rods_basin> --columns 3 --rows 3 --hook-max 0.2 --t-end 0.1)
  dalembert_run_test(NAME example.rods_basin.rule LABELS examples STATUS 2 OUTPUT "--hook-max: the value 0 must be more than"
    COMMAND $<TARGET_FILE:rods_basin> --hook-max 0)
endif()

smoke_test(rods_lyapunov --exponents 2 --elements 12 --net-elements 24 --points 32 --amplitudes 2 --smallest 0.02 --largest 0.1 --periods 3 --settling 0)
if(TARGET rods_lyapunov)
  dalembert_run_test(NAME example.rods_lyapunov.rule LABELS examples STATUS 2 OUTPUT "--largest: the value 0.001 must not be less than --smallest"
    COMMAND $<TARGET_FILE:rods_lyapunov> --largest 0.001)
endif()

if(TARGET rolling_rods)
  dalembert_run_test(NAME example.rolling_rods.sections LABELS examples FILES result/sections.csv
    COMMAND $<TARGET_FILE:rolling_rods> --out result --elements 50 --t-end 2e-3 --frames 1 --sections 5)
  dalembert_run_test(NAME example.rolling_rods.size LABELS examples STATUS 2 OUTPUT "elements = 100000000, but a rod has at most"
    COMMAND $<TARGET_FILE:rolling_rods> --elements 100000000)
endif()

smoke_test(flying_rod --elements 20 --t-end 6 --frames 2)
if(TARGET flying_rod)
  dalembert_run_test(NAME example.flying_rod.momentum LABELS examples FILES result/sections.csv result/rod.csv result/paraview/rod.pvd
    OUTPUT "momentum +20 N s.*momentum_error +[0-9.]+e-1[4-9] .*angular_momentum_error +[0-9.]+e-1[3-9] .*energy_error +[0-9.]+e-0[789] "
    COMMAND $<TARGET_FILE:flying_rod> --out result --elements 20 --frames 2)
  dalembert_run_test(NAME example.flying_rod.plane LABELS examples OUTPUT "momentum +20 N s"
    COMMAND $<TARGET_FILE:flying_rod> --case plane --elements 20 --t-end 6 --frames 0)
  dalembert_run_test(NAME example.flying_rod.cantilever LABELS examples OUTPUT "energy_error +[0-9.]+e-0[789] "
    COMMAND $<TARGET_FILE:flying_rod> --case cantilever --t-end 1 --frames 0)
  dalembert_run_test(NAME example.flying_rod.step LABELS examples STATUS 2 OUTPUT "steps of this method grow beyond"
    COMMAND $<TARGET_FILE:flying_rod> --dt 0.1)
  dalembert_run_test(NAME example.flying_rod.choice LABELS examples STATUS 2 OUTPUT "--case: the value foo"
    COMMAND $<TARGET_FILE:flying_rod> --case foo)
endif()

smoke_test(plectoneme --turns 1 --turning 0.1 --t-end 0.2 --frames 2)
if(TARGET plectoneme)
  # It touches itself and goes on; where it was wound up, it comes to the helix of the closed form, of either hand.
  dalembert_run_test(NAME example.plectoneme.touches LABELS examples FILES result/link.csv
    OUTPUT "link +7 .*link_error +[0-9.]+e-1[2-6] .*touches_at +1\\.9[0-9]+ s.*gap_min +-[0-9.]+e-1[2-9] m"
    COMMAND $<TARGET_FILE:plectoneme> --out result --frames 0 --elements 100 --t-end 2.3)
  dalembert_run_test(NAME example.plectoneme.helix LABELS examples TIMEOUT 600
    OUTPUT "link_error +[0-9.]+e-1[2-4] .*pitch_angle +0\\.4[789][0-9]+ rad.*moment +-[0-9.]+ N m.*moment_error +-?0\\.0[0-2][0-9]+ .*pressure_error +-?0\\.0[0-3][0-9]+ "
    COMMAND $<TARGET_FILE:plectoneme> --start coil --coils 1.2 --frames 0)
  dalembert_run_test(NAME example.plectoneme.left LABELS examples TIMEOUT 600 OUTPUT "moment +0\\.01[0-9]+ N m"
    COMMAND $<TARGET_FILE:plectoneme> --start coil --hand left --coils 1.2 --frames 0)
  set_tests_properties(example.plectoneme.helix example.plectoneme.left PROPERTIES COST 100)
  dalembert_run_test(NAME example.plectoneme.rule LABELS examples STATUS 2 OUTPUT "--radius: the value 0 must be positive"
    COMMAND $<TARGET_FILE:plectoneme> --radius 0)
endif()

smoke_test(slipping_rods --elements 20 --t-end 0.02)
if(TARGET slipping_rods)
  dalembert_run_test(NAME example.slipping_rods.rule LABELS examples STATUS 2 OUTPUT "--mobility: the value 0 must be positive"
    COMMAND $<TARGET_FILE:slipping_rods> --mobility 0)
endif()

smoke_test(woven_net --rods 2 --elements 40 --t-end 0.01)
if(TARGET woven_net)
  dalembert_run_test(NAME example.woven_net.rule LABELS examples STATUS 2 OUTPUT "spacing = 0.01, but a rod needs room"
    COMMAND $<TARGET_FILE:woven_net> --spacing 0.01)
endif()

smoke_test(ply --elements 60)
if(TARGET ply)
  dalembert_run_test(NAME example.ply.rule LABELS examples STATUS 2 OUTPUT "--angle: the value 45 must be less than 45"
    COMMAND $<TARGET_FILE:ply> --angle 45)
  dalembert_run_test(NAME example.ply.shears LABELS examples STATUS 2 OUTPUT "stretch = 5, but it is too large"
    COMMAND $<TARGET_FILE:ply> --stretch 5)
endif()

smoke_test(cantilever --elements 16)
if(TARGET cantilever)
  # The limits for small elements, beside solutions of the boundary value problems.
  dalembert_run_test(NAME example.cantilever.elastica LABELS examples FILES result/path.csv result/shape_4.csv
    OUTPUT "order +(1\\.99|2|2\\.00)[0-9]* .*tip_x_extrapolated +0\\.61237[0-9]+ m.*tip_y_extrapolated +0\\.71379[0-9]+ m"
    COMMAND $<TARGET_FILE:cantilever> --out result --load 5 --elements 64)
  dalembert_run_test(NAME example.cantilever.bend45 LABELS examples
    OUTPUT "tip_x_extrapolated +22\\.2447[0-9]+ m.*tip_y_extrapolated +58\\.779[0-9]+ m.*tip_z_extrapolated +40\\.191[0-9]+ m"
    COMMAND $<TARGET_FILE:cantilever> --case bend45 --load 300)
  dalembert_run_test(NAME example.cantilever.princeton LABELS examples OUTPUT "published_distance +[0-9.]+e-0[89] m"
    COMMAND $<TARGET_FILE:cantilever> --case princeton)
  dalembert_run_test(NAME example.cantilever.shear LABELS examples OUTPUT "published_distance +[0-9.]+e-1[0-9] m"
    COMMAND $<TARGET_FILE:cantilever> --case shear)
  dalembert_run_test(NAME example.cantilever.rollup LABELS examples OUTPUT "published_distance +[0-9.]+e-1[0-9] m"
    COMMAND $<TARGET_FILE:cantilever> --case rollup --elements 16)
  dalembert_run_test(NAME example.cantilever.choice LABELS examples STATUS 2 OUTPUT "--case: the value foo"
    COMMAND $<TARGET_FILE:cantilever> --case foo)
  dalembert_run_test(NAME example.cantilever.load LABELS examples STATUS 2 OUTPUT "--load: the value 3N must be a finite number"
    COMMAND $<TARGET_FILE:cantilever> --load 3N)
  dalembert_run_test(NAME example.cantilever.size LABELS examples STATUS 2 OUTPUT "--elements: the value 1 must be at least 2"
    COMMAND $<TARGET_FILE:cantilever> --elements 1)
endif()

smoke_test(buckling --elements 20 --points 10)
if(TARGET buckling)
  dalembert_run_test(NAME example.buckling.arch LABELS examples FILES result/branch.csv result/events.csv result/shape_6.csv
    OUTPUT "limit_load_1 +899\\.1[0-9]+ N.*limit_load_2 +-74\\.0[0-9]+ N" COMMAND $<TARGET_FILE:buckling> --out result)
  dalembert_run_test(NAME example.buckling.frame LABELS examples
    OUTPUT "limit_load_1 +1\\.857[0-9]+ N.*limit_load_2 +-0\\.9439[0-9]+ N" COMMAND $<TARGET_FILE:buckling> --case frame)
  dalembert_run_test(NAME example.buckling.column LABELS examples FILES result/elastica.csv
    OUTPUT "bifurcation_load +2\\.4675[0-9]+ N.*bifurcation_load_linear +2\\.4675[0-9]+ N.*elastica_distance +0\\.000[0-9]+"
    COMMAND $<TARGET_FILE:buckling> --out result --case column)
  dalembert_run_test(NAME example.buckling.choice LABELS examples STATUS 2 OUTPUT "--case: the value shell"
    COMMAND $<TARGET_FILE:buckling> --case shell)
  dalembert_run_test(NAME example.buckling.rule LABELS examples STATUS 2 OUTPUT "largest_step = 3, but it must lie between"
    COMMAND $<TARGET_FILE:buckling> --step 3)
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

smoke_test(pendulum_realizations --t-end 1 --dt 2e-3)
if(TARGET pendulum_realizations)
  dalembert_run_test(NAME example.pendulum_realizations.outputs LABELS examples
    FILES result/ideal.csv result/potential.csv result/friction.csv result/inertia.csv
    OUTPUT "friction_distance +1\\.2267[0-9]+ m"
    COMMAND $<TARGET_FILE:pendulum_realizations> --out result --dt 2e-3)
  dalembert_run_test(NAME example.pendulum_realizations.rule LABELS examples STATUS 2
    OUTPUT "--epsilon: the value 0 must be positive"
    COMMAND $<TARGET_FILE:pendulum_realizations> --epsilon 0)
endif()

smoke_test(sliding_sleigh --t-end 1 --order 1)
if(TARGET sliding_sleigh)
  dalembert_run_test(NAME example.sliding_sleigh.outputs LABELS examples
    FILES result/trajectory.csv result/corrected.csv result/nonholonomic.csv result/errors.csv
    OUTPUT "slope_order_0 +(0\\.9|1\\.0)[0-9]*.*slope_order_1 +(1\\.9|2\\.0)[0-9]*.*slope_order_2 +(2\\.9|3\\.0)[0-9]*"
    COMMAND $<TARGET_FILE:sliding_sleigh> --out result --epsilon 0.05 --order 2 --t-end 4)
  dalembert_run_test(NAME example.sliding_sleigh.rule LABELS examples STATUS 2
    OUTPUT "--order: the value 5 must be at most 4"
    COMMAND $<TARGET_FILE:sliding_sleigh> --order 5)
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
    COMMAND $<TARGET_FILE:ball_on_pole> --pole rigid --spin 60 --t-end 0.5 --frames 0)
  dalembert_run_test(NAME example.ball_on_pole.fails LABELS examples STATUS 1 OUTPUT "ContactAtEnd"
    FILES out/ball_on_pole/climb.csv COMMAND $<TARGET_FILE:ball_on_pole> --pole rigid --height 0.03)
  dalembert_run_test(NAME example.ball_on_pole.rule LABELS examples STATUS 2 OUTPUT "--turning: the value 0 must not be 0"
    COMMAND $<TARGET_FILE:ball_on_pole> --turning 0)
endif()

smoke_test(contact_strings --points 128 --t-end 60 --lyapunov-t-end 60 --picture-t-end 10)
if(TARGET contact_strings)
  set(data ${dalembert_SOURCE_DIR}/tests/data)
  dalembert_run_test(NAME example.contact_strings.outputs LABELS examples
    FILES result/contact.csv result/spectrum.csv result/string.csv result/free.wav result/contact.wav
    OUTPUT "energy_error +[0-9.]+e-1[4-9] .*s1_max +2 m.*lyapunov +0\\.0[0-9]+ 1/s"
    COMMAND $<TARGET_FILE:contact_strings> --out result --method waveguide --points 128 --t-end 30 --lyapunov-t-end 200)
  # The defaults: how far the contact wanders in a thousand seconds; the farthest is where chaos takes it.
  dalembert_run_test(NAME example.contact_strings.defaults LABELS examples FILES result/contact.wav
    OUTPUT "s1_min +0\\.9[78][0-9]+ m.*s1_max +2\\.[234][0-9]+ m.*speed_ratio_max +0\\.[78]"
    COMMAND $<TARGET_FILE:contact_strings> --out result --lyapunov-t-end 0)
  # At G₁ = G₂ and s₁ = s₂ the contact follows 2 atan(tan(s₀/2) exp(G/2 (cos t − 1))), here for t = π.
  dalembert_run_test(NAME example.contact_strings.exact LABELS examples OUTPUT "s1_final +1\\.12894[0-9]+ m"
    COMMAND $<TARGET_FILE:contact_strings> --method waveguide --G1 0.9 --G2 0.9 --s1 2 --s2 2 --kernel-width 0 --points 1024
      --t-end 3.14159265358979 --lyapunov-t-end 0)
  # A contact spread over nodes is off by the square of its width.
  dalembert_run_test(NAME example.contact_strings.grid LABELS examples OUTPUT "s1_final +1\\.1291[0-9]+ m"
    COMMAND $<TARGET_FILE:contact_strings> --method grid --G1 0.9 --G2 0.9 --s1 2 --s2 2 --kernel-width 0.025 --points 1024
      --t-end 3.14159265358979 --lyapunov-t-end 0)
  # Two methods that have nothing in common, while chaos has not parted them.
  foreach(method IN ITEMS tape waveguide)
    dalembert_run_test(NAME example.contact_strings.${method} LABELS examples OUTPUT "s1_final +1\\.1645[0-9]+ m"
      COMMAND $<TARGET_FILE:contact_strings> --method ${method} --kernel-width 0 --t-end 30 --lyapunov-t-end 0)
  endforeach()
  dalembert_run_test(NAME example.contact_strings.file LABELS examples FILES result/summary.json
    COMMAND $<TARGET_FILE:contact_strings> --out result --points 64 --kernel-width 0.1 --t-end 10 --lyapunov-t-end 0
      --initial file:${data}/strings/start.csv)
  # Velocities that do not roll: a spread contact takes ½ slip²/(2 Σα²/m) of their energy, ½·0.01·ℓ/(2·0.30235) J for bumps of width ℓ = 8 L/512; one
  # at a point takes none.
  set(slipping --ends periodic --points 512 --t-end 1 --lyapunov-t-end 0 --initial file:${data}/strings/slipping.csv)
  dalembert_run_test(NAME example.contact_strings.slipping LABELS examples OUTPUT "energy_removed +0\\.000811[0-9]+ J"
    COMMAND $<TARGET_FILE:contact_strings> --method grid --kernel-width 0.1 ${slipping})
  dalembert_run_test(NAME example.contact_strings.slipping_at_a_point LABELS examples OUTPUT "energy_removed +0 J"
    COMMAND $<TARGET_FILE:contact_strings> --method tape ${slipping})
  # A contact at a point may start nearer to an end than one of a few nodes, and than a kernel of the default width.
  dalembert_run_test(NAME example.contact_strings.near_an_end LABELS examples OUTPUT "s1_final +0\\.0[0-9]+ m"
    COMMAND $<TARGET_FILE:contact_strings> --method tape --s1 0.01 --points 1024 --t-end 0.5 --lyapunov-t-end 0)
  dalembert_run_test(NAME example.contact_strings.at_an_end LABELS examples STATUS 1 OUTPUT "ContactAtEnd"
    COMMAND $<TARGET_FILE:contact_strings> --method grid --s1 0.01)
  dalembert_run_test(NAME example.contact_strings.gap LABELS examples STATUS 2 OUTPUT "gap\\.csv:4: a number is missing"
    COMMAND $<TARGET_FILE:contact_strings> --initial file:${data}/strings/gap.csv)
  dalembert_run_test(NAME example.contact_strings.words LABELS examples STATUS 2
    OUTPUT "words\\.csv:5: 'none' is not a finite number"
    COMMAND $<TARGET_FILE:contact_strings> --initial file:${data}/strings/words.csv)
  dalembert_run_test(NAME example.contact_strings.jumps LABELS examples STATUS 2
    OUTPUT "no jump from the end to the beginning of a periodic string"
    COMMAND $<TARGET_FILE:contact_strings> --ends periodic --initial file:${data}/strings/jump.csv)
  dalembert_run_test(NAME example.contact_strings.rule LABELS examples STATUS 2 OUTPUT "--F: the value 0 must not be 0"
    COMMAND $<TARGET_FILE:contact_strings> --F 0)
  dalembert_run_test(NAME example.contact_strings.choice LABELS examples STATUS 2
    OUTPUT "--initial: the value saw must be sine, pluck, gaussian or file:PATH"
    COMMAND $<TARGET_FILE:contact_strings> --initial saw)
  dalembert_run_test(NAME example.contact_strings.supersonic LABELS examples STATUS 1 OUTPUT "SupersonicContact"
    FILES out/contact_strings/contact.csv
    COMMAND $<TARGET_FILE:contact_strings> --points 128 --G1 9 --t-end 10)
endif()

smoke_test(steel_spring --t-end 0.1 --compare 0.1 --elements 100 --frames 4)
if(TARGET steel_spring)
  dalembert_run_test(NAME example.steel_spring.step LABELS examples
    OUTPUT "step_ratio +[1-9][0-9][0-9][0-9].*tip_error +0\\.00[0-9]*.*energy_error +[0-9.]+e-1[0-9]"
    COMMAND $<TARGET_FILE:steel_spring> --t-end 0.05 --compare 0.05 --finer 4 --elements 160 --frames 0)
  dalembert_run_test(NAME example.steel_spring.fails LABELS examples STATUS 1 OUTPUT "BodiesOverlap"
    FILES out/steel_spring/spring.csv COMMAND $<TARGET_FILE:steel_spring> --stretch 0.15 --elements 160 --frames 0)
  dalembert_run_test(NAME example.steel_spring.rule LABELS examples STATUS 2 OUTPUT "--pitch: the value 0.001 must be more"
    COMMAND $<TARGET_FILE:steel_spring> --pitch 0.001)
endif()

smoke_test(capstan --nodes 16 --t-end 0.2)
if(TARGET capstan)
  # T2/T1 of a thin cord, and the growth of the tension of a rod of a tenth of the drum's radius.
  dalembert_run_test(NAME example.capstan.thin LABELS examples FILES out/capstan/tension.csv out/capstan/settling.csv out/capstan/contacts.csv
    OUTPUT "ratio +2\\.567[0-4][0-9]* .*ratio_exact +2\\.566835601 .*k +0\\.(2999|3000)[0-9]+ .*k_exact +0\\.29999673 "
    COMMAND $<TARGET_FILE:capstan>)
  dalembert_run_test(NAME example.capstan.thick LABELS examples
    OUTPUT "ratio +2\\.34[34][0-9]+ .*ratio_exact +2\\.341288791 .*k +0\\.270[67][0-9]+ .*k_exact +0\\.2707283498 "
    COMMAND $<TARGET_FILE:capstan> --radius 0.005 --drum 0.05)
  # One that leaves the drum in a curve, thin and thick.
  dalembert_run_test(NAME example.capstan.stiff LABELS examples
    OUTPUT "ratio +2\\.42[45][0-9]+ .*ratio_stiff +2\\.42634119 " COMMAND $<TARGET_FILE:capstan> --bending 0.2 --tail 40)
  dalembert_run_test(NAME example.capstan.stiff_and_thick LABELS examples
    OUTPUT "ratio +2\\.31[56][0-9]+ .*ratio_stiff +2\\.31666352[0-9] "
    COMMAND $<TARGET_FILE:capstan> --bending 0.2 --tail 40 --radius 0.05)
  dalembert_run_test(NAME example.capstan.rule LABELS examples STATUS 2 OUTPUT "--friction: the value 2 lets the tension grow"
    COMMAND $<TARGET_FILE:capstan> --friction 2)
  dalembert_run_test(NAME example.capstan.tail LABELS examples STATUS 2 OUTPUT "--tail: the value must be at least four times"
    COMMAND $<TARGET_FILE:capstan> --bending 0.2)
endif()

smoke_test(bouncing_bar --elements 50)
finer_rods(bouncing_bar --elements 1600 --t-end 1.1)
if(TARGET bouncing_bar)
  # As published, with what a landing within a step moves.
  dalembert_run_test(NAME example.bouncing_bar.published LABELS examples FILES out/bouncing_bar/bar.csv out/bouncing_bar/contacts.csv
    OUTPUT "centre +4\\.9(5[789]|60)[0-9]* m .*centre_exact +5 m.*contact_times +0\\.6[67][0-9]+, 0\\.6[67][0-9]+ s.*episodes +2 .*loss +0\\.00[12][0-9]+ "
    COMMAND $<TARGET_FILE:bouncing_bar>)
  dalembert_run_test(NAME example.bouncing_bar.flies LABELS examples OUTPUT "centre +3\\.75 m .*contact_times +none.*episodes +0 "
    COMMAND $<TARGET_FILE:bouncing_bar> --t-end 0.5)
  dalembert_run_test(NAME example.bouncing_bar.rule LABELS examples STATUS 2 OUTPUT "--drop: the value 100 lands the bar faster"
    COMMAND $<TARGET_FILE:bouncing_bar> --drop 100)
endif()

smoke_test(thrown_balls --t-end 0.5)
if(TARGET thrown_balls)
  # 5/7 and 2/3 of the speed, 2/7 and 1/3 of the energy.
  dalembert_run_test(NAME example.thrown_balls.level LABELS examples FILES out/thrown_balls/balls.csv out/thrown_balls/contacts.csv
    OUTPUT "end_speed +1\\.428571429 m/s .*rolls +yes .*rolls_from +0\\.29[12] s .*loss +0\\.2857142857 .*cylinder_end_speed +1\\.333333333 m/s .*cylinder_loss +0\\.3333333333 .*backspin_end_speed +-0\\.8571428571 m/s "
    COMMAND $<TARGET_FILE:thrown_balls>)
  dalembert_run_test(NAME example.thrown_balls.spin LABELS examples OUTPUT "end_speed +2\\.857142857 m/s .*rolls +yes "
    COMMAND $<TARGET_FILE:thrown_balls> --spin 50)
  # Steepest to roll are 3.5 μ for the sphere, 3 μ for the cylinder: tan 0.6 = 0.68, tan 0.62 = 0.71.
  dalembert_run_test(NAME example.thrown_balls.slope LABELS examples
    OUTPUT "rolls +yes .*rolls_from +15\\.57[0-9]+ s .*cylinder_rolls +no " COMMAND $<TARGET_FILE:thrown_balls> --slope 0.6)
  dalembert_run_test(NAME example.thrown_balls.steep LABELS examples
    OUTPUT "end_speed +10\\.2062[0-9]+ m/s .*end_speed_exact +10\\.2062[0-9]+ m/s .*rolls +no " COMMAND $<TARGET_FILE:thrown_balls> --slope 0.62)
  dalembert_run_test(NAME example.thrown_balls.fails LABELS examples STATUS 1 OUTPUT "ContactTooFast"
    FILES out/thrown_balls/balls.csv COMMAND $<TARGET_FILE:thrown_balls> --dt 0.3)
  dalembert_run_test(NAME example.thrown_balls.rule LABELS examples STATUS 2 OUTPUT "--slope: the value 1.6 must be less"
    COMMAND $<TARGET_FILE:thrown_balls> --slope 1.6)
endif()

smoke_test(ball_column --balls 5 --t-end 0.1)
if(TARGET ball_column)
  # Each contact bears the balls above it, after a fall and from the start; nothing sinks or creeps.
  dalembert_run_test(NAME example.ball_column.dropped LABELS examples
    FILES out/ball_column/column.csv out/ball_column/forces.csv out/ball_column/contacts.csv
    OUTPUT "rests +yes .*rests_from +0\\.[34][0-9]+ s.*force_error +([0-9.]+e-1[2-6]|0) .*plane_force +196\\.2 N.*contacts +20 .*penetration +[0-9.]+e-1[4-7] m.*creep +([0-9.]+e-1[4-9]|0) m"
    COMMAND $<TARGET_FILE:ball_column>)
  dalembert_run_test(NAME example.ball_column.at_rest LABELS examples
    OUTPUT "rests_from +0 s.*force_error +([0-9.]+e-1[2-6]|0) .*contacts +60 .*slip +([0-9.]+e-1[4-9]|0) m/s.*creep +([0-9.]+e-1[4-9]|0) m"
    COMMAND $<TARGET_FILE:ball_column> --drop 0 --columns 3 --t-end 0.2)
  dalembert_run_test(NAME example.ball_column.shaft LABELS examples
    OUTPUT "rests +yes .*plane_force +5[67]\\.[0-9]+ N.*weight +58\\.86 N.*contacts +12 .*creep +([0-9.]+e-1[2-9]|0) m"
    COMMAND $<TARGET_FILE:ball_column> --balls 6 --shaft 0.005 --offset 0.005)
  dalembert_run_test(NAME example.ball_column.falls LABELS examples OUTPUT "rests +no .*penetration +([0-9.]+e-1[4-9]|0) m"
    COMMAND $<TARGET_FILE:ball_column> --balls 6 --offset 0.001)
  dalembert_run_test(NAME example.ball_column.rule LABELS examples STATUS 2 OUTPUT "--offset: the value 0.03 must be less"
    COMMAND $<TARGET_FILE:ball_column> --offset 0.03)
endif()

smoke_test(pinched_capsule --t-end 0.1)
if(TARGET pinched_capsule)
  # Creep in ten seconds is rounding at any force; below mg/(2μ) = 0.3153 N it falls as the closed form says.
  foreach(force IN ITEMS 12 60)
    dalembert_run_test(NAME example.pinched_capsule.holds_${force} LABELS examples
      FILES out/pinched_capsule/grip.csv out/pinched_capsule/contacts.csv
      OUTPUT "holds +yes .*creep +[0-9.]+e-1[4-9] m .*creep_rate +[0-9.]+e-1[5-9] m/s.*slip +[0-9.]+e-1[2-9] m/s.*force +${force} N.*penetration +[0-9.]+e-1[4-9] m"
      COMMAND $<TARGET_FILE:pinched_capsule> --force ${force})
  endforeach()
  dalembert_run_test(NAME example.pinched_capsule.just_holds LABELS examples
    OUTPUT "holds +yes .*friction_used +0\\.9853794[0-9]+ .*friction_used_exact +0\\.985379464"
    COMMAND $<TARGET_FILE:pinched_capsule> --force 0.32 --t-end 1)
  dalembert_run_test(NAME example.pinched_capsule.falls LABELS examples
    OUTPUT "holds +no .*friction_used +(1|0\\.9999[0-9]+) .*fallen +0\\.238[0-9]+ m.*fallen_exact +0\\.2383333333 m"
    COMMAND $<TARGET_FILE:pinched_capsule> --force 0.3 --t-end 1)
  dalembert_run_test(NAME example.pinched_capsule.five_balls LABELS examples OUTPUT "holds +yes .*creep +[0-9.]+e-1[4-9] m "
    COMMAND $<TARGET_FILE:pinched_capsule> --balls 5 --tilt 0.5 --t-end 1)
  dalembert_run_test(NAME example.pinched_capsule.rule LABELS examples STATUS 2 OUTPUT "--balls: the value 1 must be at least 2"
    COMMAND $<TARGET_FILE:pinched_capsule> --balls 1)
endif()

smoke_test(woodpile --layers 2 --t-end 0.05)
finer_rods(woodpile --layers 2 --elements 80 --t-end 2e-3)
if(TARGET woodpile)
  # Every layer bears what is above it; all contacts are closed and stick.
  dalembert_run_test(NAME example.woodpile.weights LABELS examples FILES out/woodpile/loads.csv
    OUTPUT "layer_load_error +[0-9.]+e-0[5-9] .*closed +42 .*open +4 .*sliding +0 .*creep +([0-9.]+e-0[4-9]|0\\.000[0-9]+) m"
    COMMAND $<TARGET_FILE:woodpile>)
  dalembert_run_test(NAME example.woodpile.rule LABELS examples STATUS 2 OUTPUT "--spacing: the value 0.009 must be more than the diameter"
    COMMAND $<TARGET_FILE:woodpile> --spacing 0.009)
endif()

smoke_test(heap --rods 3 --t-end 0.1)
finer_rods(heap --rods 2 --elements 40 --t-end 2e-3)
if(TARGET heap)
  dalembert_run_test(NAME example.heap.rests LABELS examples TIMEOUT 300 FILES out/heap/heap.csv
    OUTPUT "contacts_max +[3-9][0-9] .*gap_min +-[0-9.]+e-1[3-9] m .*kinetic +([0-9.]+e-0[4-9]|0\\.000[0-9]+) J"
    COMMAND $<TARGET_FILE:heap>)
  dalembert_run_test(NAME example.heap.rule LABELS examples STATUS 2 OUTPUT "--box: the value 0.1 must be wider"
    COMMAND $<TARGET_FILE:heap> --box 0.1)
endif()

smoke_test(overhand_knot --elements 100 --tightening 0.02 --speed 0.05)
finer_rods(overhand_knot --elements 250 --tightening 0.001 --speed 0.1)
if(TARGET overhand_knot)
  # A knot of a loop of eight radii of the rod: its traction without friction, and what friction makes of it.
  dalembert_run_test(NAME example.overhand_knot.slides LABELS examples TIMEOUT 300 FILES out/overhand_knot/knot.csv out/overhand_knot/long_braids.csv out/overhand_knot/rest.txt
    OUTPUT "traction_mean +0\\.(3[6-9]|4[0-2])[0-9]+ .*friction_constant +0\\.(7[4-9]|8[0-3])[0-9]+ .*braid_traction_long +0\\.1320[67][0-9]+ .*gap_min +-[0-9.]+e-1[3-9] m"
    COMMAND $<TARGET_FILE:overhand_knot>)
  # Left alone, strong friction holds it: nothing that sticks slips.
  dalembert_run_test(NAME example.overhand_knot.stays LABELS examples
    OUTPUT "sticking +[1-9][0-9]* .*sticking_slip +[0-9.]+e-1[5-9] m/s.*gap_min +-[0-9.]+e-1[3-9] m"
    COMMAND $<TARGET_FILE:overhand_knot> --friction 0.3 --tightening 1e-3)
  # Held where it is tight, without friction, H is the same in loop and tails there.
  dalembert_run_test(NAME example.overhand_knot.held LABELS examples
    OUTPUT "tight_radius +6\\.[0-9]+ .*tight_material_force +-?(0\\.00[0-4][0-9]*|[0-9.]+e-0[4-9]) "
    COMMAND $<TARGET_FILE:overhand_knot> --friction 0 --tightening 0.3 --speed 0.3 --rest 15 --hold 60)
  dalembert_run_test(NAME example.overhand_knot.start LABELS examples STATUS 1 OUTPUT "nowhere.txt: cannot read this checkpoint"
    COMMAND $<TARGET_FILE:overhand_knot> --start nowhere.txt)
  dalembert_run_test(NAME example.overhand_knot.rule LABELS examples STATUS 2 OUTPUT "--looseness: the value 6 leaves no room"
    COMMAND $<TARGET_FILE:overhand_knot> --looseness 6)
endif()

smoke_test(clove_hitch --fineness 0.5 --rest 0.01 --pulled 0.001)
if(TARGET clove_hitch)
  # Strong friction lets the tension grow while the working end stays; with little it comes along, near exp(4πμ).
  # The cord is laid through itself; once it has settled nothing overlaps.
  dalembert_run_test(NAME example.clove_hitch.holds LABELS examples TIMEOUT 300 FILES out/clove_hitch/hitch.csv
    OUTPUT "holds +yes .*tension_ratio +1[0-9]\\.[0-9]+ .*gap_min +(0|-[0-9.]+e-1[3-9]) m" COMMAND $<TARGET_FILE:clove_hitch>)
  dalembert_run_test(NAME example.clove_hitch.slips LABELS examples TIMEOUT 300
    OUTPUT "holds +no .*tension_ratio +[2-5]\\.[0-9]+ .*capstan_ratio +1\\.87" COMMAND $<TARGET_FILE:clove_hitch> --friction 0.05)
  dalembert_run_test(NAME example.clove_hitch.rule LABELS examples STATUS 2 OUTPUT "--pole: the value 0.01 must be five times"
    COMMAND $<TARGET_FILE:clove_hitch> --pole 0.01)
endif()

smoke_test(friction_table --case double_knot --part 1e-4)
if(TARGET friction_table)
  dalembert_run_test(NAME example.friction_table.all LABELS examples TIMEOUT 300 FILES out/friction_table/setups.csv
    OUTPUT "plectoneme_wall_per_second +[0-9.]+ .*plectoneme_steps +[0-9]+ .*double_knot_contacts +1[0-9] " COMMAND $<TARGET_FILE:friction_table>)
  dalembert_run_test(NAME example.friction_table.knot LABELS examples TIMEOUT 300
    OUTPUT "knot_reached +4 s .*knot_contacts +[2-9] " COMMAND $<TARGET_FILE:friction_table> --case knot --part 1)
  dalembert_run_test(NAME example.friction_table.rule LABELS examples STATUS 2 OUTPUT "--part: the value 2 must not be more than 1"
    COMMAND $<TARGET_FILE:friction_table> --part 2)
endif()

smoke_test(dropped_net --rods 3 --t-end 0.02)
if(TARGET dropped_net)
  dalembert_run_test(NAME example.dropped_net.rule LABELS examples STATUS 2 OUTPUT "--spacing: the value 0.02 must be more than three"
    COMMAND $<TARGET_FILE:dropped_net> --spacing 0.02)
endif()

smoke_test(reef_and_granny --pulled 0.002)
if(TARGET reef_and_granny)
  dalembert_run_test(NAME example.reef_and_granny.holds LABELS examples TIMEOUT 300
    OUTPUT "reef_gap_min +(0|-[0-9.]+e-1[3-9]) m.*granny_gap_min +(0|-[0-9.]+e-1[3-9]) m.*reef_holds_better +yes"
    COMMAND $<TARGET_FILE:reef_and_granny>)
  dalembert_run_test(NAME example.reef_and_granny.rule LABELS examples STATUS 2 OUTPUT "--weight: the value 0 must be positive"
    COMMAND $<TARGET_FILE:reef_and_granny> --weight 0)
endif()

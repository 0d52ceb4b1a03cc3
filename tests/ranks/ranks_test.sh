#!/usr/bin/env bash
# Ensembles over ranks have the bytes of one process: on 1, 2, 4 and 7 ranks, killed and taken up, and with
# what can go wrong. Usage: ranks_test.sh MPIEXEC PROGRAM [KILLS]
set -euo pipefail
mpiexec=$1 program=$2 turns=${3:-10}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
faults=0

# Open MPI's own words for: more ranks than processors, and as root; others pass them over.
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1

ranks() {
  local n=$1
  shift
  timeout 60 "$mpiexec" -n "$n" "$program" ranks "$@" 2>&1 || true
}
# expect WHAT WANTED FOUND
expect() {
  if [ "$2" != "$3" ]; then
    printf '%s\n  wanted: %s\n  found:  %s\n' "$1" "$2" "$3"
    faults=$((faults + 1))
  fi
}
# same WHAT FILE FILE
same() {
  if ! cmp "$2" "$3"; then
    printf '%s: other bytes\n' "$1"
    faults=$((faults + 1))
  fi
}

# ---- the same bytes ----
count=3000
"$program" alone "$folder/alone" $count >/dev/null
for n in 1 2 4 7; do
  expect "$n ranks" "members $count kept 0 failed 462" "$(ranks $n "$folder/$n" $count)"
  same "$n ranks" "$folder/alone" "$folder/$n"
done
expect "blocks of one" "members $count kept 0 failed 462" "$(ranks 3 "$folder/one" $count block 1)"
same "blocks of one" "$folder/alone" "$folder/one"

# ---- killed at random moments, each time on another number of ranks ----
count=400
"$program" alone "$folder/long" $count work 60000 >/dev/null
kills=0
for ((turn = 1; turn <= turns; ++turn)); do
  # Rank 0, which writes the file, kills itself after so many milliseconds.
  said=$(ranks $((1 + turn % 3)) "$folder/killed" $count work 60000 die $((RANDOM % 90 + 1)))
  case $said in members*) ;; *) kills=$((kills + 1)) ;; esac
done
kept=$(ranks 2 "$folder/killed" $count work 60000)
expect "some were killed, and the last run was of what is left" "members $count failed 62" "$(sed 's/ kept [0-9]*//' <<<"$kept")"
[ $kills -gt 0 ] || { echo "no run was killed"; faults=$((faults + 1)); }
same "killed $kills times" "$folder/long" "$folder/killed"

# ---- what cannot be: every rank says it, and nothing is overwritten ----
before=$(cksum <"$folder/2")
expect "another count is refused on all ranks" 3 "$(ranks 3 "$folder/2" 2999 | grep -c 'has members = 3000')"
expect "the file is as it was" "$before" "$(cksum <"$folder/2")"
expect "ranks with different parameters are refused" 2 "$(ranks 2 "$folder/differ" 100 differ | grep -c 'different ensembles')"
expect "a folder that is not there is named" 2 "$(ranks 2 "$folder/none/a" 100 | grep -c "none/a")"
expect "a run that is stopped says what it kept" 2 "$(ranks 2 "$folder/stopped" 3000 block 10 stop 500 | grep -c 'of 3000 members; they are kept in')"
ranks 2 "$folder/stopped" 3000 >/dev/null
same "a run that was stopped and taken up" "$folder/alone" "$folder/stopped"
full=$(ranks 3 "$folder/full" 3000 full 40000)
expect "a full disk ends the run on all ranks with what was kept" 3 "$(grep -c 'full: cannot be written: .* members are kept' <<<"$full")"
kept=$(ranks 2 "$folder/full" 3000)
expect "and the next one goes on" "members 3000 kept $(sed -n 's/^rank 0.* \([0-9]*\) members are kept/\1/p' <<<"$full") failed 462" "$kept"
same "a run whose disk was full and that was taken up" "$folder/alone" "$folder/full"
exit $((faults > 0))

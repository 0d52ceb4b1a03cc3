#!/usr/bin/env bash
# What two ranks reach of what two processes with half of the members each do, which know nothing of each other: both in turn, for
# the median. On two processors with nothing else to do, at least 0.93. Usage: ranks_throughput.sh MPIEXEC PROGRAM [MEMBERS [SECONDS [TURNS]]]
set -euo pipefail
mpiexec=$1 program=$2 members=${3:-300} seconds=${4:-0.2} turns=${5:-3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
TIMEFORMAT='%R %U %S'

# measured COMMAND...: its seconds by the clock, and those of the processors [s].
measured() {
  { time "$@" >"$folder/said" 2>&1; } 2>"$folder/time" || {
    cat "$folder/said" >&2
    exit 1
  }
  awk '{ print $1, $2 + $3 }' "$folder/time"
}
alone() { "$program" alone "$folder/$1" "$members" even work "$work" first "$2" last "$3"; }
independent() {
  local half=$((members / 2)) first
  alone a 0 $half &
  first=$!
  alone b $half "$members"
  wait $first
  rm "$folder/a" "$folder/b"
}
ranks() {
  "$mpiexec" -n 2 "$program" ranks "$folder/c" "$members" even work "$work"
  rm "$folder/c"
}
median() { sort -n | awk '{ x[NR] = $1 } END { print (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'; }

# As many terms as take so long, by the processor's time of one member.
work=2000000
read -r _ cpu < <(measured "$program" alone "$folder/probe" 1 even work $work)
work=$(awk -v w=$work -v s="$seconds" -v cpu="$cpu" 'BEGIN { printf "%d", w * s / cpu }')

for ((turn = 1; turn <= turns; ++turn)); do
  read -r wall cpu < <(measured independent)
  read -r ranks_wall ranks_cpu < <(measured ranks)
  awk -v n="$members" -v a="$wall" -v b="$ranks_wall" -v c="$cpu" -v d="$ranks_cpu" 'BEGIN {
    printf "%.2f members/s in two processes, %.2f over two ranks: %.3f; seconds of processors %.1f and %.1f: %.3f\n",
      n / a, n / b, a / b, c, d, c / d }'
  awk -v a="$wall" -v b="$ranks_wall" 'BEGIN { print a / b }' >>"$folder/walls"
  awk -v a="$cpu" -v b="$ranks_cpu" 'BEGIN { print a / b }' >>"$folder/cpus"
done
printf 'of what two processes reach, two ranks reach %.3f by the clock, %.3f by the time of the processors (medians of %d)\n' \
  "$(median <"$folder/walls")" "$(median <"$folder/cpus")" "$turns"

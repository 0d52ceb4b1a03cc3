#!/usr/bin/env bash
# What cmake/bootstrap makes of a machine: its compiler, its packages, its words. Usage: bootstrap_test.sh BOOTSTRAP COMPILER
set -euo pipefail
bootstrap=$1 compiler=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
faults=0

# expect WHAT WANTED FOUND
expect() {
  if [ "$2" != "$3" ]; then
    printf '%s\n  wanted: %s\n  found:  %s\n' "$1" "$2" "$3"
    faults=$((faults + 1))
  fi
}

# with STATEMENTS: what they print where the functions of the script are known.
with() {
  bash -c 'source "$1" && eval "$2"' bash "$bootstrap" "$1" 2>&1 || true
}

# ---- compilers ----
expect "a compiler with arguments is taken, and CMake gets it as a list" "$compiler;-DUNUSED" \
  "$(CXX="$compiler -DUNUSED" with 'find_compiler && cmake_compiler')"
ln -s "$(command -v "$compiler")" "$folder/my compiler"
expect "a compiler whose name holds a space is one word" "$folder/my compiler" \
  "$(CXX="$folder/my compiler" with 'find_compiler && cmake_compiler')"
expect "what does not compile is refused by its name" "bootstrap: CXX=no-such-compiler -m64 does not compile C++20" \
  "$(CXX='no-such-compiler -m64' with find_compiler)"
expect "arguments with which nothing compiles are refused" \
  "bootstrap: CXX=$compiler -no-such-option does not compile C++20" \
  "$(CXX="$compiler -no-such-option" with find_compiler)"
cat >"$folder/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.20)
project(probe LANGUAGES CXX)
message(NOTICE "arguments:${CMAKE_CXX_COMPILER_ARG1}")
TEXT
for turn in first second; do
  expect "CMake passes its arguments on, the $turn time" "arguments:-DUNUSED" \
    "$(CXX="$compiler -DUNUSED" with "find_compiler && cmake -S '$folder' -B '$folder/build' \
      -DCMAKE_CXX_COMPILER=\"\$(cmake_compiler)\"" | grep -e '^arguments' -e Warning)"
done

# ---- packages ----
# shellcheck disable=SC2016  # for the other shell
{
  expect "what few programs use is not installed unless it is asked for" "" "$(with 'want() { echo "$@"; }; choose boost')"
  expect "and is if it is" "boost" "$(with 'want() { echo "$@"; }; optional=yes; choose boost')"
  # A package manager that would bring two packages for one.
  manager='manager=apt-get; log=/dev/null; may_be_root() { return 0; }; as_root() { echo "ran $*" >&2; }; say() { :; };
    apt-get() { printf "Inst one (1)\nInst two [0] (1)\nConf one (1)\n"; }; apt() { [ "$1" = update ] || echo "apt $1"; };'
  expect "all that comes is said before it is installed" "  one two" "$(with "$manager announce one")"
  expect "in this order" "announced" \
    "$(with "$manager announce() { echo announced; }; install_packages cmake" | head -n 1)"
}

# ---- words ----
expect "an unknown command is refused" "bootstrap: no command fly (see ./cmake/bootstrap --help)" \
  "$("$bootstrap" fly 2>&1 || true)"
expect "and an unknown check" "bootstrap: no check flight (see ./cmake/bootstrap --help)" \
  "$("$bootstrap" check --brief flight 2>&1 || true)"
for step in $(with 'usage' | sed -n '/check \[--brief\]/,/check mutants/s/^  *\([a-z]*\)  .*/\1/p') mutants determinism viewer; do
  case $step in check) continue ;; esac
  expect "the check $step of the help is there" "function" "$(with "type -t check_$step")"
done
exit "$((faults > 0))"

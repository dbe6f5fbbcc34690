# For test.sh, which sources it: parts of a run, each with its log, its totals and its seconds, and lanes of parts that run beside each
# other. `results` is the folder of all that.

# What is being built and tested now, for all processes below: in English, without a build server that outlives the run.
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_GENERATE_ASPNET_CERTIFICATE=false
export DOTNET_CLI_WORKLOAD_UPDATE_NOTIFY_DISABLE=true DOTNET_CLI_UI_LANGUAGE=en
export MSBUILDDISABLENODEREUSE=1 DOTNET_CLI_USE_MSBUILD_SERVER=0
# One compiler for all projects, and for those that tests make: of this run alone, so that it can be ended.
export UseSharedCompilation=true SharedCompilationId=wire-$$-$RANDOM

# Counts one more test, or several, of the part that is running.
pass() { echo "${1-1} 0" >>"$results/$part.totals"; }
fail() {
  echo "FAILED: $1"
  echo "0 ${2-1}" >>"$results/$part.totals"
}

# part <name> <command> [arguments]: runs a part of the run into a log, and prints what came of it. A command that fails without counting
# anything counts as one failure.
part() {
  local part=$1 begin=$EPOCHREALTIME status=0 passed failed
  shift
  : >"$results/$part.totals"
  # Its processor time is that of all its processes; what the compiler and a broker do for it is not among them.
  TIMEFORMAT='%U %S'
  { time { "$@" >"$results/$part.log" 2>&1; } || status=$?; } 2>"$results/$part.time"
  read -r passed failed < <(totals "$results/$part.totals")
  if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
    echo "0 1" >>"$results/$part.totals"
    failed=1
  fi
  awk -v part="$part" -v begin="$begin" -v end="$EPOCHREALTIME" '{ printf "%s\t%.1f\t%.1f\n", part, end - begin, $1 + $2 }' \
    "$results/$part.time" >"$results/$part.seconds"
  # Of two parts that end at the same time, one after the other says so.
  {
    flock 8
    printf '== %s: %s in %.0f s\n' "$part" "$(counted "$passed" "$failed")" "$(cut -f 2 "$results/$part.seconds")"
    if [ "$failed" -ne 0 ]; then cat "$results/$part.log"; else grep '^Left out: ' "$results/$part.log" || true; fi
  } 8>"$results/printing"
}

counted() { if [ "$1" -eq 0 ] && [ "$2" -eq 0 ]; then echo done; else echo "$1 passed, $2 failed"; fi; }

# totals <files>: the sums of what they count.
totals() { awk '{ passed += $1; failed += $2 } END { print passed + 0, failed + 0 }' "$@"; }

# lane <number of parts at a time> [niceness]: runs the parts whose names and commands are the lines of the input, in this order.
lane() {
  local workers=() queue
  if [ -n "${2-}" ]; then renice -n "$2" -p "$BASHPID" >/dev/null; fi
  queue=$results/lane-$BASHPID
  cat >"$queue"
  for ((i = 0; i < $1; i++)); do
    while next=$(take "$queue"); do eval "part $next"; done &
    workers+=($!)
  done
  wait "${workers[@]}"
}

# take <file>: removes its first line and prints it.
take() {
  {
    flock 9
    [ -s "$1" ] || return 1
    head -n 1 "$1"
    sed -i 1d "$1"
  } 9>"$1.lock"
}

# tests <project> <filter> [label] [assembly]: runs tests of a project that was built, and counts them. A skipped test is one that failed, as a
# crashed host is.
tests() {
  local project=$1 filter=$2 label=${3-$1} status=0 trx total passed_here
  local assembly=${4-tests/$project/bin/Release/net10.0/$project.dll}
  trx=$results/$label.trx
  dotnet vstest "$assembly" --TestCaseFilter:"$filter" \
    --logger:"trx;LogFileName=$label.trx" --ResultsDirectory:"$results" || status=$?
  if [ ! -f "$trx" ] || [ "$(counter total "$trx")" -eq 0 ]; then
    fail "$label ran no test"
    return
  fi
  total=$(counter total "$trx")
  passed_here=$(counter passed "$trx")
  if [ "$passed_here" -gt 0 ]; then pass "$passed_here"; fi
  if [ "$total" -ne "$passed_here" ]; then fail "$label: $((total - passed_here)) of $total" "$((total - passed_here))"; fi
  if [ "$status" -ne 0 ] && { [ "$total" -eq "$passed_here" ] || grep -q 'test run was aborted' "$trx"; }; then
    fail "$label did not run to its end"
  fi
}

# counter <name> <trx file>: that number of the file's <Counters> element, 0 where there is none.
counter() {
  local value
  value=$(sed -n "s/.*<Counters .*$1=\"\([0-9][0-9]*\)\".*/\1/p" "$2" | head -n 1)
  echo "${value:-0}"
}

# as_one <command> [arguments]: a program that is one test; it exits with 3 where it cannot be run.
as_one() {
  local status=0
  "$@" || status=$?
  case $status in
    0) pass ;;
    3) ;;
    *) fail "$1 exited with $status" ;;
  esac
}

# The seconds of each part, those that took longest first, and the classes of tests that did.
seconds() {
  printf 'part\tseconds\tprocessor\n'
  sort -t "$(printf '\t')" -k 2 -rn "$results"/*.seconds
  printf '\nclass\tseconds\n'
  awk -F '"' '
    function field(name,   i) { for (i = 1; i < NF; i++) if ($i ~ (" " name "=$")) return $(i + 1) }
    /<UnitTestResult / { split(field("duration"), time, ":"); took[field("testId")] += time[1] * 3600 + time[2] * 60 + time[3] }
    /<UnitTest / { test = field("id") }
    /<TestMethod / { class = field("className"); sum[class] += took[test]; delete took[test] }
    END { for (class in sum) printf "%s\t%.1f\n", class, sum[class] }' "$results"/*.trx | sort -t "$(printf '\t')" -k 2 -rn | head -n 20
}

# end_compiler: ends the compiler of this run, and no other.
end_compiler() {
  local process
  for process in $(grep -l -z -x -F -e "-pipename:$SharedCompilationId" /proc/[0-9]*/cmdline 2>/dev/null | cut -d / -f 3); do
    kill "$process" 2>/dev/null || true
  done
}

# end_tree <process>: ends a process before those that it has started, so that it starts no more, and then each of these in the same way.
end_tree() {
  local each below
  below=$(children_of "$1")
  kill "$1" 2>/dev/null || true
  for each in $below; do end_tree "$each"; done
}

children_of() { cat "/proc/$1/task/$1/children" 2>/dev/null || true; }

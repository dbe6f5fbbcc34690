#!/usr/bin/env bash
# Builds everything with warnings as errors, checks the formatting and the length of lines, runs every test and a slice of the
# fuzzer, and counts instructions where valgrind is installed. The tests of Wire.Amqp.Client, Wire.RabbitMQ, Wire.RabbitMQ.Streams,
# Wire.MassTransit and of the tool with a broker get one from eng/rabbitmq.sh, and what is in web is built by npm; where there is
# none, they are left out, unless CI=true says that nothing may be.
# The last line is `N passed, N failed`: each test counts once, and a skipped test, a crashed
# test host, a failed build and a formatting difference each count as failed.
#
#   ./test.sh          the usual run
#   ./test.sh --long   the long tests and long versions of tests too, all of those of Wire.Amqp.Client and Wire.RabbitMQ in both
#                      ways to write, and the soak
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
exec </dev/null

case "${1-}" in
  '') ;;
  --long) export WIRE_TEST_LONG=1 ;;
  *) echo "usage: ./test.sh [--long]" >&2; exit 2 ;;
esac

export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_GENERATE_ASPNET_CERTIFICATE=false
export DOTNET_CLI_WORKLOAD_UPDATE_NOTIFY_DISABLE=true DOTNET_CLI_UI_LANGUAGE=en
# No build server stays behind when the script is done.
export MSBUILDDISABLENODEREUSE=1 DOTNET_CLI_USE_MSBUILD_SERVER=0 UseSharedCompilation=false

passed=0
failed=0
results=$(mktemp -d)
broker=$results/rabbitmq

# Runs however the script ends, so that the totals are always the last line.
finish() {
  status=$?
  if [ -d "$broker" ]; then eng/rabbitmq.sh clean "$broker" || fail "the broker did not stop"; fi
  rm -rf "$results"
  if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
  echo "$passed passed, $failed failed"
  if [ "$failed" -ne 0 ]; then exit 1; fi
}
trap finish EXIT
trap 'exit 130' INT TERM

fail() {
  echo "FAILED: $1"
  failed=$((failed + 1))
}

# counter <name> <trx file>: that number of the file's <Counters> element, 0 where there is none.
counter() {
  local value
  value=$(sed -n "s/.*<Counters .*$1=\"\([0-9][0-9]*\)\".*/\1/p" "$2" | head -n 1)
  echo "${value:-0}"
}

echo "== build"
dotnet restore Wire.sln --verbosity quiet
dotnet build Wire.sln --no-restore --configuration Release --verbosity quiet -warnaserror

echo "== format"
dotnet format Wire.sln --verify-no-changes --no-restore || fail "formatting; run 'dotnet format'"

echo "== line length"
long=$(LC_ALL=C.UTF-8 grep -rnE --include='*.cs' --include='*.fs' --exclude-dir=obj --exclude-dir=bin '^.{141,}' src tests benchmarks samples integrations eng | cut -d : -f 1,2) || true
if [ -n "$long" ]; then
  echo "$long"
  fail "lines of more than 140 columns"
fi

# A node for this run alone, unless a broker is given.
echo "== broker"
left_out=
status=0
if [ -z "${WIRE_RABBITMQ_URI-}" ]; then export WIRE_RABBITMQ_FOLDER=$broker; fi
assignments=$(eng/rabbitmq.sh start) || status=$?
if [ "$status" -eq 0 ]; then
  eval "$assignments"
else
  left_out="Wire.Amqp.Client.Tests Wire.RabbitMQ.Tests Wire.RabbitMQ.Streams.Tests Wire.MassTransit.Tests Wire.Tool.Broker.Tests"
  echo "Left out: $left_out."
  if [ "$status" -ne 3 ] || [ "${CI-}" = true ]; then fail "there is no broker"; fi
fi

# The script is one test. Where there is no server, it is left out with those above.
echo "== nodes"
status=0
tests/rabbitmq.sh || status=$?
case $status in
  0) passed=$((passed + 1)) ;;
  3) ;;
  *) fail "eng/rabbitmq.sh does not do what it says" ;;
esac

# run <project> <label> [arguments]: runs tests of a project, unless it is left out, and counts them.
run() {
  local project=$1 label=$2 name trx status=0 not_passed
  shift 2
  name=$(basename "${project%.*proj}")
  case " $left_out " in *" $name "*) return ;; esac
  trx=$results/$label.trx
  dotnet test "$project" --no-build --configuration Release --verbosity quiet \
    --results-directory "$results" --logger "trx;LogFileName=$label.trx" --logger "console;verbosity=minimal" "$@" || status=$?

  if [ ! -f "$trx" ] || [ "$(counter total "$trx")" -eq 0 ]; then
    fail "$label ran no test"
    return
  fi
  # Everything that did not pass failed: failures, errors, timeouts and skipped tests.
  not_passed=$(($(counter total "$trx") - $(counter passed "$trx")))
  passed=$((passed + $(counter passed "$trx")))
  failed=$((failed + not_passed))
  # A crashed host leaves no result for the tests it did not finish: they count as one.
  if [ "$status" -ne 0 ] && { [ "$not_passed" -eq 0 ] || grep -q 'test run was aborted' "$trx"; }; then
    fail "$label did not run to its end"
  fi
}

# Tests of several minutes, as those that need a cluster, are for the long run.
usual=(--filter 'Takes!=long')
if [ -n "${WIRE_TEST_LONG-}" ]; then usual=(); fi

echo "== test"
for project in tests/*/*.csproj tests/*/*.fsproj; do
  grep -qs '<IsTestProject>true</IsTestProject>' "$project" || continue
  run "$project" "$(basename "${project%.*proj}")" "${usual[@]}"
done
if [ $((passed + failed)) -eq 0 ]; then fail "no test project found"; fi

# Everything that runs over Wire.Amqp.Client once more with the other way to write: what publishes and consumes, or all of it.
echo "== test, inline"
client=tests/Wire.Amqp.Client.Tests/Wire.Amqp.Client.Tests.csproj
if [ -n "${WIRE_TEST_LONG-}" ]; then
  WIRE_TEST_INLINE=1 run $client Wire.Amqp.Client.Tests.Inline
  WIRE_TEST_INLINE=1 run tests/Wire.RabbitMQ.Tests/Wire.RabbitMQ.Tests.csproj Wire.RabbitMQ.Tests.Inline --filter 'Takes!=long'
else
  WIRE_TEST_INLINE=1 run $client Wire.Amqp.Client.Tests.Inline \
    --filter 'FullyQualifiedName~.Consuming.|FullyQualifiedName~PublishOrderTests|FullyQualifiedName~.ReturnTests|FullyQualifiedName~PublishWaitingTests'
fi

# A fixed number of inputs from a fixed seed, which count as one test.
echo "== fuzz"
if dotnet tests/Wire.Fuzz/bin/Release/net10.0/Wire.Fuzz.dll --executions 400000 --seed 1; then
  passed=$((passed + 1))
else
  fail "the fuzzer has found something, or did not run to its end"
fi

# The reader in TypeScript, with the same payloads, and the page of the tool: each of their tests counts. Where there is no npm, they are left
# out as what needs a broker is, and where there is no chromium, the tests of the page.
echo "== web"
if command -v npm >/dev/null; then
  web/test.sh >"$results/web.log" 2>&1 || cat "$results/web.log"
  grep '^Left out: ' "$results/web.log" || true
  totals=$(tail -n 1 "$results/web.log")
  if [[ $totals =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] && [ "${BASH_REMATCH[1]}" -gt 0 ]; then
    echo "$totals"
    passed=$((passed + BASH_REMATCH[1]))
    failed=$((failed + BASH_REMATCH[2]))
  else
    fail "web/test.sh ran no test"
  fi
else
  echo "Left out: web, which needs npm."
  if [ "${CI-}" = true ]; then fail "there is no npm"; fi
fi

# All operations together count as one test; where they cannot be counted, the program says so, and there is none.
echo "== instructions"
status=0
dotnet tests/Wire.Instructions/bin/Release/net10.0/Wire.Instructions.dll || status=$?
case $status in
  0) passed=$((passed + 1)) ;;
  3) ;;
  *) fail "an operation takes more or fewer instructions than in tests/Wire.Instructions/baseline.txt, or they could not be counted" ;;
esac

if [ -n "${WIRE_TEST_LONG-}" ]; then
  echo "== soak"
  if dotnet tests/Wire.Soak/bin/Release/net10.0/Wire.Soak.dll; then
    passed=$((passed + 1))
  else
    fail "the soak has grown, or did not run to its end"
  fi
fi

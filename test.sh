#!/usr/bin/env bash
# Builds everything with warnings, code style and layout as errors, runs every test and a slice of the fuzzer, and counts instructions where
# valgrind is installed. What needs a broker gets one from eng/rabbitmq.sh, and what is in web is built by npm; where there is none, that is
# left out, unless CI=true says that nothing may be.
# The last line is `N passed, N failed`: each test counts once, and a skipped test, a crashed test host and a failed build each count as
# failed. artifacts/test has the logs, and in seconds.tsv what took how long.
#
#   ./test.sh             the usual run: of sweeps over every byte, cut and option it makes a sample, the same each time
#   ./test.sh --long      sweeps as a whole, tests of minutes, all of the clients in both ways to write and on newer brokers, exchanges
#                         with the clients of others, `dotnet format`, and the soak
#   ./test.sh --only NAME what a change to a project, or to a folder of src/Wire, can break, built without analyzers: eng/only.tsv has
#                         the names, and several may be given
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
exec </dev/null

usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' test.sh >&2; exit 2; }
only=()
case "${1-}" in
  '') ;;
  --long) export WIRE_TEST_LONG=1 ;;
  --only) only=("${@:2}"); [ "${#only[@]}" -gt 0 ] || usage ;;
  *) usage ;;
esac

results=$PWD/artifacts/test
rm -rf "$results"
mkdir -p "$results"
broker=$(mktemp -d)/rabbitmq
# Not within: the user that it runs as may not look into the folder of another.
postgres=${broker%/*}-postgres
# shellcheck source=eng/parts.sh
source eng/parts.sh

# Runs however the script ends, so that the totals are always the last line.
finish() {
  status=$?
  trap - EXIT
  for each in $(children_of "$$"); do end_tree "$each"; done
  for each in "$(dirname "$broker")"/*/; do
    if [ -d "$each" ]; then eng/rabbitmq.sh clean "${each%/}" || status=1; fi
  done
  if [ -e "$postgres" ]; then eng/postgres.sh clean "$postgres" || status=1; fi
  rm -rf "$(dirname "$broker")"
  end_compiler
  read -r passed failed < <(cat "$results"/*.totals 2>/dev/null | totals)
  seconds >"$results/seconds.tsv" 2>/dev/null || true
  if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
  echo "$passed passed, $failed failed"
  if [ "$failed" -ne 0 ]; then exit 1; fi
}
trap finish EXIT
trap 'exit 130' INT TERM

# Tests of several minutes, as those that need a cluster, are for the long run.
usual='Takes!=long'
if [ -n "${WIRE_TEST_LONG-}" ]; then
  usual='Takes!=never'
  if ! command -v prometheus >/dev/null || ! command -v chromium >/dev/null; then
    echo "Left out: the picture of the dashboard, which needs Debian's prometheus and chromium."
    usual+='&Needs!=Prometheus'
  fi
fi
# The suites of Debian whose brokers the long run has too: 4.0 and 4.3.
suites=(trixie sid)
# Projects whose tests need a broker, those that take longest first.
brokered=(Wire.RabbitMQ Wire.RabbitMQ.Streams Wire.Amqp.Client Wire.RabbitMQ.Outbox Wire.Tool.Broker Wire.MassTransit)

# What runs for seconds is not worth counting for its second compilation, in compilers as in tests. The long run counts, as programs do.
if [ -z "${WIRE_TEST_LONG-}" ]; then export DOTNET_TieredPGO=0; fi

# build <project or solution> [arguments]
build() { dotnet build "$1" --configuration Release --verbosity quiet -nologo -warnaserror "${@:2}"; }

# What IDE0055 of the build does not look at.
text() {
  local folders=(src tests benchmarks samples integrations eng)
  local sources=(--include='*.cs' --include='*.fs' --exclude-dir=obj --exclude-dir=bin)
  if LC_ALL=C.UTF-8 grep -rnE "${sources[@]}" '^.{141,}' "${folders[@]}" | cut -d : -f 1,2; then fail "lines of more than 140 columns"; fi
  if grep -rnE "${sources[@]}" $'[ \t]$|\t|\r|\xEF\xBB\xBF' "${folders[@]}"; then fail "blanks at the end of a line, tabs, CR or a byte order mark"; fi
  find "${folders[@]}" \( -name obj -o -name bin \) -prune -o \( -name '*.cs' -o -name '*.fs' \) -print0 |
    while IFS= read -r -d '' file; do if [ -n "$(tail -c 1 "$file")" ]; then echo "$file"; fi; done >"$results/endings"
  if [ -s "$results/endings" ]; then cat "$results/endings"; fail "files without a newline at their end"; fi
}

# start_broker [suite]: a node for this run alone, unless a broker is given. It says which variables lead to it.
start_broker() (
  status=0 name=broker${1+-$1} server=()
  if [ -n "${1-}" ]; then
    server=(--suite "$1")
    export WIRE_RABBITMQ_FOLDER=${broker%/*}/$1
  elif [ -z "${WIRE_RABBITMQ_URI-}" ]; then
    export WIRE_RABBITMQ_FOLDER=$broker
  fi
  eng/rabbitmq.sh "${server[@]}" start >"$results/$name.env" || status=$?
  if [ "$status" -ne 0 ]; then
    echo "export WIRE_LEFT_OUT=broker" >"$results/$name.env"
    echo "Left out: all that needs a broker${1:+, once more with that of $1}."
    if [ "$status" -ne 3 ] || [ "${CI-}" = true ]; then fail "there is no $name"; fi
  fi
)

# end_broker <folder> <part>...: when its last part is over, since a node without clients takes a third of a processor after all these tests.
end_broker() {
  local part folder=${broker%/*}/$1
  for part in "${@:2}"; do
    until [ -e "$results/$part.seconds" ]; do sleep 5; done
  done
  if [ -d "$folder" ]; then eng/rabbitmq.sh clean "$folder"; fi
}

# start_postgres: a PostgreSQL for this run alone, unless a server is given.
start_postgres() (
  status=0
  if [ -z "${WIRE_POSTGRES-}" ]; then export WIRE_POSTGRES_FOLDER=$postgres; fi
  eng/postgres.sh start >"$results/postgres.env" || status=$?
  if [ "$status" -ne 0 ]; then
    echo "export WIRE_NO_POSTGRES=1" >"$results/postgres.env"
    echo "Left out: the tests of Wire.RabbitMQ.Outbox over PostgreSQL."
    if [ "$status" -ne 3 ] || [ "${CI-}" = true ]; then fail "there is no PostgreSQL"; fi
  fi
)

# with_postgres <command> [arguments]: whose second argument is a filter of tests, which leaves out those that need one where there is none.
with_postgres() (
  after postgres :
  # shellcheck source=/dev/null
  source "$results/postgres.env"
  "$1" "$2" "$3${WIRE_NO_POSTGRES:+&Needs!=PostgreSQL}" "${@:4}"
)

# brokered_tests <project> <filter> [name]
brokered_tests() { if [ "$1" = Wire.RabbitMQ.Outbox.Tests ]; then with_postgres tests "$@"; else tests "$@"; fi; }

# after <part> <command> [arguments]
after() {
  until [ -e "$results/$1.seconds" ]; do sleep 0.2; done
  "${@:2}"
}

# with_broker <command> [arguments]: once the broker answers; where there is none, it is left out.
with_broker() { with broker "$@"; }
with() (
  after "$1" :
  # shellcheck source=/dev/null
  source "$results/$1.env"
  [ -n "${WIRE_LEFT_OUT-}" ] || "${@:2}"
)

# The reader in TypeScript, with the same payloads, and the page of the tool: each of their tests counts.
web() {
  if ! command -v npm >/dev/null; then
    echo "Left out: web, which needs npm."
    if [ "${CI-}" = true ]; then fail "there is no npm"; fi
    return
  fi
  local last
  web/test.sh | tee "$results/web.out" || true
  last=$(tail -n 1 "$results/web.out")
  [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] || { fail "web/test.sh ran no test"; return; }
  if [ "${BASH_REMATCH[1]}" -gt 0 ]; then pass "${BASH_REMATCH[1]}"; fi
  if [ "${BASH_REMATCH[2]}" -gt 0 ]; then fail "web/test.sh" "${BASH_REMATCH[2]}"; fi
}

fuzz() { as_one dotnet "tests/Wire.Fuzz/bin/Release/net10.0/Wire.Fuzz.dll" --executions "$1" --seed 1; }
instructions() { as_one env -u DOTNET_TieredPGO dotnet tests/Wire.Instructions/bin/Release/net10.0/Wire.Instructions.dll; }
inline() { WIRE_TEST_INLINE=1 tests "$@"; }

# The clients of others are fetched first; what cannot be had is left out, with its tests, and so is what the broker is too old for.
foreign() {
  if [ -z "${WIRE_TEST_LONG-}" ]; then return; fi
  local client found='' filter=$usual version
  export WIRE_FOREIGN_FOLDER=$results/foreign
  eng/foreign.sh "$WIRE_FOREIGN_FOLDER"
  for client in amqplib rhea rabbitmq-stream-js-client pika proton; do
    if [ -e "$WIRE_FOREIGN_FOLDER/$client" ]; then found=1; else filter+="&Client!=$client"; fi
  done
  version=$(broker_version)
  if [[ ! $version =~ ^[0-9]+\. ]]; then fail "the broker says no version"; return; fi
  if [ "${version%%.*}" -lt 4 ]; then
    echo "Left out: messages over AMQP 1.0 and streams with the clients of others, on RabbitMQ $version, as they need RabbitMQ 4."
    filter+='&Needs!=RabbitMQ 4'
  fi
  if [ "$found" ]; then tests Wire.Foreign.Tests "$filter" "$@"; fi
}

# What the broker says to each client before that has said who it is: its properties have the version as a long string.
broker_version() {
  local at=${WIRE_RABBITMQ_URI#*://}
  at=${at#*@}
  at=${at%%/*}
  # shellcheck disable=SC2016
  printf 'AMQP\0\0\11\1' | timeout 10 bash -c 'exec 3<>"/dev/tcp/${0%:*}/${0##*:}"; cat >&3
    length=$(head -c 7 <&3 | tail -c 4 | od -An -t u4 --endian=big); head -c "$((length))" <&3' "$at" |
    LC_ALL=C tr -c 'A-Za-z0-9.' ' ' | sed -n 's/.* versionS *\([0-9.]*\).*/\1/p' || true
}

# Over the oldest RabbitMQ.Client that Wire.RabbitMQ works with, for which its tests are built once more.
oldest_client() {
  build tests/Wire.RabbitMQ.Tests -p:RunAnalyzers=false -p:WireOldestClient=true --artifacts-path artifacts/oldest
  tests Wire.RabbitMQ.Tests 'Takes!=long&FullyQualifiedName~OnClient' oldest-client \
    artifacts/oldest/bin/Wire.RabbitMQ.Tests/release/Wire.RabbitMQ.Tests.dll
}

# Tests that compute bring new code all the time, which runs briefly: methods are compiled a second time later than usual, and the collector
# has more room. The long run has the runtime as programs have it.
compute() {
  if [ -z "${WIRE_TEST_LONG-}" ]; then export DOTNET_TC_CallCountThreshold=80 DOTNET_GCgen0size=4000000; fi
  brokered_tests "$@"
}

if [ "${#only[@]}" -gt 0 ]; then
  # shellcheck source=eng/only.sh
  source eng/only.sh
  run_only "${only[@]}"
  exit
fi

# What needs no build runs beside it.
{
  echo "broker start_broker"
  echo "postgres start_postgres"
  echo "nodes after broker as_one tests/rabbitmq.sh"
  echo "web web"
  echo "text text"
} | lane 1 &
beside=$!
part build build Wire.sln
[ "$(totals "$results/build.totals")" = "0 0" ] || exit 1

# What computes, one part on all processors and one mostly on one, beside what waits for brokers, sockets and timers, which goes first when it
# wakes.
{
  echo "Wire.Tests compute Wire.Tests '$usual&Runs!=alone'"
  echo "Wire.Tests.Alone compute Wire.Tests '$usual&Runs=alone' Wire.Tests.Alone"
  echo "instructions instructions"
  echo "fuzz fuzz ${WIRE_TEST_LONG:+10}60000"
  echo "Wire.Packages.Tests tests Wire.Packages.Tests '$usual&Needs!=broker'"
  for project in Wire.Amqp Wire.Tool Wire.FSharp Wire.AspNetCore Wire.Migration Wire.Analyzers Wire.Generator \
    Wire.Integrations.Actors Wire.Integrations.Buses Wire.Transport; do
    echo "$project.Tests tests $project.Tests '$usual'"
  done
  echo "Wire.Gates.Tests tests Wire.Gates.Tests '$usual'"
  if [ -n "${WIRE_TEST_LONG-}" ]; then
    echo "format dotnet format Wire.sln --verify-no-changes --no-restore"
    echo "soak as_one dotnet tests/Wire.Soak/bin/Release/net10.0/Wire.Soak.dll"
  fi
} | lane 2 10 &
computing=$!
{
  for project in "${brokered[@]}"; do
    echo "$project.Tests with_broker brokered_tests $project.Tests '$usual'"
  done
  echo "Wire.Foreign.Tests with_broker foreign"
  # All that runs over the client once more with the other way to write: what publishes and consumes, or all of it.
  if [ -n "${WIRE_TEST_LONG-}" ]; then
    echo "inline with_broker inline Wire.Amqp.Client.Tests '$usual' inline"
    echo "inline-plugin with_broker inline Wire.RabbitMQ.Tests 'Takes!=long' inline-plugin"
    echo "oldest-client with_broker oldest_client"
    echo "native-clients with_broker tests Wire.Packages.Tests 'Needs=broker' native-clients"
    for suite in "${suites[@]}"; do
      echo "broker-$suite start_broker $suite"
      for project in "${brokered[@]}"; do
        echo "$project.Tests-$suite with broker-$suite brokered_tests $project.Tests '$usual' $project.Tests-$suite"
      done
      echo "Wire.Foreign.Tests-$suite with broker-$suite foreign Wire.Foreign.Tests-$suite"
    done
  else
    echo "inline with_broker inline Wire.Amqp.Client.Tests '$usual&(FullyQualifiedName~.Consuming.|FullyQualifiedName~PublishOrderTests|FullyQualifiedName~.ReturnTests|FullyQualifiedName~PublishWaitingTests)' inline"
  fi
} | lane 2 &
brokering=$!
if [ -n "${WIRE_TEST_LONG-}" ]; then
  served=("${brokered[@]/%/.Tests}" Wire.Foreign.Tests)
  end_broker "${broker##*/}" "${served[@]}" inline inline-plugin oldest-client native-clients &
  for suite in "${suites[@]}"; do end_broker "$suite" "${served[@]/%/-$suite}" & done
fi
wait "$beside" "$computing" "$brokering"

# A project of tests that no lane has would go unnoticed.
for project in tests/*/*.csproj tests/*/*.fsproj; do
  grep -qs '<IsTestProject>true</IsTestProject>' "$project" || continue
  name=$(basename "${project%.*proj}")
  [ -e "$results/$name.totals" ] || part "$name" false
done

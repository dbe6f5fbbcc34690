#!/usr/bin/env bash
# Measures, and writes the tables and charts of docs/performance/.
#
#   ./bench.sh          quick mode and growth, in about five minutes: serializer.md and amqp.md
#   ./bench.sh --full   the rows of serializer.md with BenchmarkDotNet, and growth; takes hours
#   ./bench.sh --copies     copies by hand, by Clone, and by writing and reading: copies.md
#   ./bench.sh --into       messages that are read into objects that exist, in two minutes: into.md
#   ./bench.sh --documents  one value of a payload, without types, and views, in two minutes: documents.md and views.md
#   ./bench.sh --quoted     messages by which other serializers are quoted, with the libraries that are packages, in three minutes: quoted.md; --quoted --check only looks whether each row reads what it writes
#   ./bench.sh --frames     messages over a pipe and loopback TCP, batched and with a flush each, and size estimates, in three minutes: frames.md
#   ./bench.sh --cold       first messages in fresh processes, in a quarter of an hour: cold-start.md
#   ./bench.sh --rabbitmq   with a real broker, in ten minutes: rabbitmq.md
#   ./bench.sh --faults     with a real broker, in a quarter of an hour: what is lost while connections are cut, over both transports, for the same page
#   ./bench.sh --lane       with a real broker, in ten minutes: client.md
#   ./bench.sh --streams    with a real broker, in five minutes: streams.md
#   ./bench.sh --streams88  with a real broker, in six minutes: 88 million messages, for the same page; takes 11 GB of disk
#
#   ./bench.sh --check      whether each row of the serializer reads what it writes; nothing is measured
#   ./bench.sh --quick --only POCO    other arguments go to the benchmarks as they are: to those of messaging where they name AMQP
#
# WIRE_BENCH_SUITE=sid also measures with the broker of that suite of Debian, which is newer: --lane, --rabbitmq and --streams, whose tables
# have columns for it then, and take twice as long.
# WIRE_BENCH_PEERS names a folder of libraries that are built from their source, and take part then: see docs/performance/README.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_CLI_UI_LANGUAGE=en
serializer=(dotnet benchmarks/Wire.Benchmarks/bin/Release/net10.0/Wire.Benchmarks.dll)
messaging=(dotnet benchmarks/Wire.Benchmarks.Messaging/bin/Release/net10.0/Wire.Benchmarks.Messaging.dll)
results=docs/performance/charts/results.json
amqp=docs/performance/charts/amqp.json

# The one of messaging is built on that of the serializer.
dotnet build benchmarks/Wire.Benchmarks.Messaging --configuration Release --verbosity quiet --nologo -warnaserror >&2
case "$*" in
  '')
    "${serializer[@]}" --quick --json "$results" --command ./bench.sh
    "${messaging[@]}" --quick --json "$amqp" --command ./bench.sh
    "${messaging[@]}" --report --json "$amqp"
    ;;
  --full) "${serializer[@]}" --full --json "$results" --command './bench.sh --full' ;;
  --cold*)
    # The same program twice: as IL, and compiled beforehand.
    cold=benchmarks/Wire.Benchmarks.Cold
    rid=$(dotnet msbuild "$cold" -getProperty:NETCoreSdkRuntimeIdentifier)
    compiled=$cold/bin/compiled
    dotnet build "$cold" --configuration Release --verbosity quiet --nologo -warnaserror >&2
    dotnet publish "$cold" --configuration Release --runtime "$rid" --self-contained false -p:PublishReadyToRun=true --output "$compiled" \
      --verbosity quiet --nologo >&2
    shift
    dotnet "$cold/bin/Release/net10.0/Wire.Benchmarks.Cold.dll" --compiled "$compiled/Wire.Benchmarks.Cold.dll" --write "$@"
    exit
    ;;
  --quoted*)
    # Its libraries are packages: none is taken from a folder.
    quoted=benchmarks/Wire.Benchmarks.Quoted
    env -u WIRE_BENCH_PEERS dotnet build "$quoted" --configuration Release --verbosity quiet --nologo -warnaserror >&2
    program=(dotnet "$quoted/bin/Release/net10.0/Wire.Benchmarks.Quoted.dll")
    figures=docs/performance/charts/quoted.json
    shift
    if [ $# -gt 0 ]; then exec "${program[@]}" "$@"; fi
    "${program[@]}" --quick --json "$figures" --command './bench.sh --quoted'
    exec "${program[@]}" --report --json "$figures"
    ;;
  --rabbitmq* | --faults* | --lane* | --streams*)
    # A node for this run alone, unless a broker is given.
    if [ -z "${WIRE_RABBITMQ_URI-}" ]; then
      broker=$(mktemp -d)/rabbitmq
      trap 'eng/rabbitmq.sh clean "$broker"; eng/rabbitmq.sh clean "$broker-newer"; rmdir "$(dirname "$broker")"' EXIT
      assignments=$(eng/rabbitmq.sh start "$broker")
      eval "$assignments"
      if [ -n "${WIRE_BENCH_SUITE-}" ]; then
        assignments=$(eng/rabbitmq.sh --suite "$WIRE_BENCH_SUITE" start "$broker-newer")
        eval "${assignments//WIRE_RABBITMQ_/WIRE_NEWER_RABBITMQ_}"
      fi
    fi
    "${messaging[@]}" "$@"
    exit
    ;;
  *[Aa][Mm][Qq][Pp]*) exec "${messaging[@]}" "$@" ;;
  *) exec "${serializer[@]}" "$@" ;;
esac
"${serializer[@]}" --growth --json "$results" --command ./bench.sh
"${serializer[@]}" --report --json "$results"

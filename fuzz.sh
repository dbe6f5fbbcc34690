#!/usr/bin/env bash
# Builds the fuzzer and runs it; docs/fuzzing.md says what it does. It fails when it has found something.
#
#   ./fuzz.sh --minutes 10 [--seed 1] [--target "session"] [--corpus folder] [--vectors folder]
#   ./fuzz.sh --replay tests/Wire.Tests/Hostile/Regressions/file.txt
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_CLI_UI_LANGUAGE=en

dotnet build "$root/tests/Wire.Fuzz" --configuration Release --verbosity quiet -warnaserror >&2
exec dotnet "$root/tests/Wire.Fuzz/bin/Release/net10.0/Wire.Fuzz.dll" "$@"

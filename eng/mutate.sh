#!/usr/bin/env bash
# Changes the library in small ways, a mutant each, and counts those that a test notices, in a table. The tests are those
# that eng/only.tsv has for the folder, and those of the project elsewhere. Texts stay as they are, because the gates compare them. It installs
# dotnet-stryker into artifacts/mutation.
#
#   eng/mutate.sh [--one-of N] [PART...]   one or more of those below; all of them unless said, which takes hours; with --one-of what
#                                          begins on a line of N
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null
# shellcheck source=eng/only.sh
source eng/only.sh

# A part, its project, the files that are changed, and the project and the name in eng/only.tsv, or words, of the tests that belong to it.
parts() {
  cat <<'PARTS'
Plans	Wire	Plans/**/*.cs	Wire.Tests	Plans
Skipper	Wire	Skipping/Skipper.cs	Wire.Tests	Skipping
ReadObjects	Wire	Sessions/Objects/ReadObjects.cs	Wire.Tests	Sessions
ReadManifests	Wire	Sessions/ReadManifests.cs	Wire.Tests	Sessions
Format	Wire	Format/**/*.cs	Wire.Tests	Format
Filtering	Wire	Filtering/**/*.cs	Wire.Tests	Filtering
Pending	Wire.Transport	Pending/**/*.cs	Wire.Transport.Tests
Recovery	Wire.Transport	Recovery/**/*.cs	Wire.Transport.Tests
PublishLog	Wire.RabbitMQ.Streams	Producing/PublishLog*.cs	Wire.RabbitMQ.Streams.Tests	.Producing.
Fields	Wire.Amqp	V091/Fields/**/*.cs	Wire.Amqp.Tests	.V091.
PARTS
}

output=$PWD/artifacts/mutation
mkdir -p "$output"
if [ ! -x "$output/tool/dotnet-stryker" ]; then
  dotnet tool install dotnet-stryker --version 5.1.0 --tool-path "$output/tool" >/dev/null
fi

# count <status>: how many mutants of the report have it. What does not end is noticed.
count() { { grep -oE "\"status\": ?\"$1\"" "$report" || true; } | wc -l; }

# Lines of the files, as Stryker writes places: a pattern for each.
sample() { # <project> <files> <one line of how many>
  local file
  shopt -s globstar
  # shellcheck disable=SC2086
  for file in src/$1/$2; do
    LC_ALL=C.UTF-8 awk -v name="**/${file#"src/$1/"}" -v among="$3" '
      NR % among == among - 1 && NF > 0 { printf "%s\"%s{%d..%d}\"", (some++ ? ", " : ""), name, at, at + length($0) } { at += length($0) + 1 }
      END { if (some) print "" }' "$file"
  done | paste -sd ,
}

among=1
if [ "${1-}" = --one-of ]; then among=$2; shift 2; fi
if [ $# -eq 0 ]; then mapfile -t names < <(parts | cut -f 1); else names=("$@"); fi
echo "| part | mutants | killed | survived | without a test | score |"
echo "|---|---|---|---|---|---|"
for name in "${names[@]}"; do
  row=$(parts | awk -F '\t' -v name="$name" '$1 == name')
  [ -n "$row" ] || { echo "There is no part $name: $(parts | cut -f 1 | paste -sd ' ')." >&2; exit 2; }
  IFS=$'\t' read -r _ project files tests words <<<"$row"
  listed=$(rows_of "$words" | cut -f 3 || true)
  filter=$(filter_of "${listed:-$words}")
  mutate="\"$files\""
  if [ "$among" -gt 1 ]; then mutate=$(sample "$project" "$files" "$among"); fi
  rm -rf "${output:?}/$name"
  mkdir -p "$output/$name"
  cat >"$output/$name.json" <<JSON
{
  "stryker-config": {
    "project": "$project.csproj",
    "configuration": "Release",
    "mutate": [$mutate],
    "ignore-methods": ["ConfigureAwait", "*Exception.ctor"],
    "ignore-mutations": ["string"],
    "test-case-filter": "Takes!=long${filter}",
    "reporters": ["json"],
    "concurrency": 2
  }
}
JSON
  (cd "tests/$tests" && "$output/tool/dotnet-stryker" --config-file "$output/$name.json" --output "$output/$name" >"$output/$name.log" 2>&1) ||
    { tail -n 20 "$output/$name.log" >&2; exit 1; }
  report=$output/$name/reports/mutation-report.json
  killed=$(($(count Killed) + $(count Timeout)))
  survived=$(count Survived)
  missed=$(count NoCoverage)
  all=$((killed + survived + missed))
  awk -v name="$name" -v all="$all" -v killed="$killed" -v survived="$survived" -v missed="$missed" \
    'BEGIN { printf "| %s | %d | %d | %d | %d | %.1f %% |\n", name, all, killed, survived, missed, all ? 100 * killed / all : 0 }'
done

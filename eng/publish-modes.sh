#!/usr/bin/env bash
# Publishes the round trips of tests/Wire.Packages.Tests in each mode from the packages of this checkout, and writes the table of
# docs/publishing.md: round trips that fail, warnings, size, and the time of a process that writes and reads one message, as the median
# of runs of all modes in turn.
#
#   eng/publish-modes.sh [--runs N]     21 runs unless said
set -euo pipefail
runs=21
. "$(dirname "${BASH_SOURCE[0]}")/publishing.sh"
version=2.0.0-modes.$(date +%s)

"$here/pack.sh" --output "$work/feed" "-p:Version=$version" -p:RunAnalyzers=false -p:EnforceCodeStyleInBuild=false > "$work/pack.log" \
  || { cat "$work/pack.log" >&2; exit 1; }
mkdir "$work/app"
cp "$programs"/RoundTrips/*.cs "$work/app/"
cat > "$work/nuget.config" <<EOF
<configuration>
  <config><add key="globalPackagesFolder" value="installed" /></config>
  <packageSources><add key="wire" value="feed" /></packageSources>
  <fallbackPackageFolders><add key="machine" value="${NUGET_PACKAGES:-$HOME/.nuget/packages}" /></fallbackPackageFolders>
</configuration>
EOF
cat > "$work/app/App.csproj" <<EOF
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net10.0</TargetFramework>
    <ImplicitUsings>enable</ImplicitUsings>
    <Nullable>enable</Nullable>
    <DebugType>embedded</DebugType>
  </PropertyGroup>
  <ItemGroup><PackageReference Include="WireSerializer" Version="$version" /></ItemGroup>
</Project>
EOF

# What is left to say: name | arguments of dotnet publish.
modes=(
  "plain|--no-self-contained"
  "ReadyToRun|--no-self-contained -p:PublishReadyToRun=true"
  "single file|--no-self-contained -p:PublishSingleFile=true"
  "self-contained|--self-contained"
  "self-contained, single file, compressed|--self-contained -p:PublishSingleFile=true -p:EnableCompressionInSingleFile=true"
  "trimmed, \`TrimMode=partial\`|--self-contained -p:PublishTrimmed=true -p:TrimMode=partial"
  "trimmed|--self-contained -p:PublishTrimmed=true"
  "trimmed, ReadyToRun, single file|--self-contained -p:PublishTrimmed=true -p:PublishReadyToRun=true -p:PublishSingleFile=true"
  "native code|-p:PublishAot=true -p:CppCompilerAndLinker=gcc"
)

failed=()
warnings=()
sizes=()
for i in "${!modes[@]}"; do
  rm -rf "$work/app/obj" "$work/app/bin"
  read -ra arguments <<< "${modes[$i]#*|}"
  dotnet publish "$work/app/App.csproj" -c Release -r "$rid" -o "$work/$i" -p:TrimmerSingleWarn=false "${arguments[@]}" > "$work/$i.log" \
    || { cat "$work/$i.log" >&2; exit 1; }
  inside=$(grep -E 'warning IL[0-9]+' "$work/$i.log" | grep -vcE '(RoundTrips|Graphs|Values|Messages|Rows|Shop)\.cs' || true)
  lines=$(grep -E 'warning IL[0-9]+' "$work/$i.log" | grep -oE '[A-Za-z]+\.cs\([0-9]+' | sort -u | wc -l || true)
  warnings+=("$lines, $inside")
  failed+=("$("$work/$i/App" | tail -n 1)")
  # Symbols and documentation are for whoever debugs.
  sizes+=("$(find "$work/$i" -type f ! -name '*.dbg' ! -name '*.pdb' ! -name '*.xml' -printf '%s\n' |
    awk '{ all += $1 } END { printf "%.1f", all / 1e6 }')")
done

for ((run = 0; run < runs; run++)); do
  for i in "${!modes[@]}"; do
    start=$(date +%s%N)
    "$work/$i/App" first > /dev/null
    echo $((($(date +%s%N) - start) / 1000)) >> "$work/$i.times"
  done
done

echo "| mode | round trips | lines of the program with a warning, warnings inside Wire | MB | first message, ms |"
echo "|---|---|---|---:|---:|"
for i in "${!modes[@]}"; do
  median=$(sort -n "$work/$i.times" | awk '{ t[NR] = $1 } END { printf "%.0f", t[int((NR + 1) / 2)] / 1000 }')
  echo "| ${modes[$i]%%|*} | ${failed[$i]} | ${warnings[$i]} | ${sizes[$i]} | $median |"
done

#!/usr/bin/env bash
# Packs all libraries into a folder and writes what they are: docs/packages.md.
#
#   eng/pack.sh [--output FOLDER] [--baseline FOLDER] [--page] [-p:NAME=VALUE ...]
#
#   --output FOLDER     where the packages go; artifacts/packages unless said
#   --baseline FOLDER   packages of an earlier version: one that takes away what they have is an error
#   --page              writes the table of sizes and dependencies into docs/packages.md too
#   -p:NAME=VALUE       a property of the build, as -p:Version=2.0.0 or -p:RepositoryUrl=https://example.org/wire
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

output=$here/../artifacts/packages
baseline=
page=()
properties=()
while [ $# -gt 0 ]; do
  case $1 in
    --output) output=${2:?"--output needs a folder"}; shift 2 ;;
    --baseline) baseline=${2:?"--baseline needs a folder"}; shift 2 ;;
    --page) page=("$here/../docs/packages.md"); shift ;;
    -p:*) properties+=("$1"); shift ;;
    *) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
  esac
done
mkdir -p "$output"
output=$(cd "$output" && pwd)

if [ -n "$baseline" ]; then
  baseline=$(cd "$baseline" && pwd)
  # All packages of a folder have one version: that of the serializer, whose name is the others' beginning.
  first=$(find "$baseline" -maxdepth 1 -name 'WireSerializer.[0-9]*.nupkg')
  if [ "$(printf '%s' "$first" | grep -c .)" -ne 1 ]; then
    echo "$baseline must have one package WireSerializer, of the version to compare with." >&2
    exit 2
  fi
  version=$(basename "$first" .nupkg)
  properties+=("-p:BaselineFolder=$baseline" "-p:BaselineVersion=${version#WireSerializer.}")
fi

# Sources that differ from the commit are not those of the commit.
if commit=$(git -C "$here" rev-parse --verify --quiet HEAD 2>/dev/null) && [ -z "$(git -C "$here/.." status --porcelain)" ]; then
  properties+=("-p:RepositoryCommit=$commit")
fi

dotnet msbuild "$here/pack.proj" -restore -maxCpuCount -nologo -verbosity:quiet -p:Configuration=Release -p:PackageOutputPath="$output" \
  ${properties[@]+"${properties[@]}"}
dotnet "$here/Packing/bin/Release/net10.0/Packing.dll" table "$output" ${page[@]+"${page[@]}"}

#!/usr/bin/env bash
# Packs all libraries into a folder: docs/packages.md.
#
#   eng/pack.sh [--output FOLDER] [-p:NAME=VALUE ...]
#
#   --output FOLDER     where the packages go; artifacts/packages unless said
#   -p:NAME=VALUE       a property of the build, as -p:Version=2.0.0 or -p:RepositoryUrl=https://example.org/wire
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

output=$here/../artifacts/packages
properties=()
while [ $# -gt 0 ]; do
  case $1 in
    --output) output=${2:?"--output needs a folder"}; shift 2 ;;
    -p:*) properties+=("$1"); shift ;;
    *) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
  esac
done
mkdir -p "$output"
output=$(cd "$output" && pwd)

dotnet msbuild "$here/pack.proj" -restore -maxCpuCount -nologo -verbosity:quiet -p:Configuration=Release -p:PackageOutputPath="$output" \
  ${properties[@]+"${properties[@]}"}

#!/usr/bin/env bash
# Writes the tables of docs/types.md anew, from the inventory of the tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export WIRE_TYPES_WRITE=1
for project in tests/*/*.csproj tests/*/*.fsproj; do
  [ -f "$project" ] || continue
  dotnet test "$project" --filter "FullyQualifiedName~TypesPage" --verbosity quiet
done

#!/usr/bin/env bash
# Writes the tables of docs/changes.md anew, from the cases of the tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
WIRE_CHANGES_WRITE=1 dotnet test tests/Wire.Tests --filter "FullyQualifiedName~ChangesPage" --verbosity quiet

#!/usr/bin/env bash
# Installs what the reader in TypeScript is built with, checks its types, builds it and runs its tests.
# The last line is `N passed, N failed`: a step that fails before the tests counts as one that failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/reader"
exec </dev/null

passed=0
failed=0
results=$(mktemp)

# Runs however the script ends, so that the totals are always the last line.
finish() {
  status=$?
  rm -f "$results"
  if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
  echo "$passed passed, $failed failed"
  if [ "$failed" -ne 0 ]; then exit 1; fi
}
trap finish EXIT
trap 'exit 130' INT TERM

# counter <name>: that total of the test runner, 0 where there is none.
counter() {
  local value
  value=$(sed -n "s/^# $1 \([0-9][0-9]*\)$/\1/p" "$results" | tail -n 1)
  echo "${value:-0}"
}

if grep -n '"resolved"' package-lock.json | grep -v 'https://registry.npmjs.org/'; then
  echo "FAILED: package-lock.json names another registry than https://registry.npmjs.org/"
  exit 1
fi

echo "== install"
npm ci --no-audit --no-fund

echo "== check and build"
rm -rf dist
npm run --silent build

echo "== test"
status=0
node --test --test-reporter=tap dist/test/*.test.js >"$results" || status=$?
passed=$(counter pass)
failed=$(($(counter fail) + $(counter cancelled) + $(counter skipped) + $(counter todo)))
if [ "$status" -ne 0 ] || [ "$failed" -ne 0 ]; then grep -A 20 '^ *not ok' "$results" || true; fi
exit "$status"

#!/usr/bin/env bash
# Installs what the reader in TypeScript and the page of `wire html` are built with, checks their types, builds them and runs their tests.
# The page's tests need chromium: where there is none, they are left out, unless CI=true says that nothing may be.
# The last line is `N passed, N failed`: a step that fails before the tests counts as one that failed.
#
#   WIRE_SHOTS_WRITE=1   writes the pictures of the documentation
#   WIRE_CHROMIUM=PATH   is the browser, where it is not found by its name
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
exec </dev/null

passed=0
failed=0
results=$(mktemp -d)

# Runs however the script ends, so that the totals are always the last line.
finish() {
  status=$?
  rm -rf "$results"
  if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
  echo "$passed passed, $failed failed"
  if [ "$failed" -ne 0 ]; then exit 1; fi
}
trap finish EXIT
trap 'exit 130' INT TERM

# counter <name>: that total of the test runner, 0 where there is none.
counter() {
  local value
  value=$(sed -n "s/^# $1 \([0-9][0-9]*\)$/\1/p" "$results/tap" | tail -n 1)
  echo "${value:-0}"
}

fail() {
  echo "FAILED: $1"
  failed=$((failed + 1))
}

# run <file>...: runs tests and counts them.
run() {
  local status=0 not_passed
  node --test --test-reporter=tap "$@" >"$results/tap" || status=$?
  passed=$((passed + $(counter pass)))
  not_passed=$(($(counter fail) + $(counter cancelled) + $(counter skipped) + $(counter todo)))
  failed=$((failed + not_passed))
  if [ "$status" -ne 0 ] || [ "$not_passed" -ne 0 ]; then grep -A 20 '^ *not ok' "$results/tap" || true; fi
  if [ "$status" -ne 0 ] && [ "$not_passed" -eq 0 ]; then fail "the tests did not run to their end"; fi
}

if grep -n '"resolved"' reader/package-lock.json page/package-lock.json | grep -v '"https://registry.npmjs.org/'; then
  echo "FAILED: package-lock.json names another registry than https://registry.npmjs.org/"
  exit 1
fi

echo "== install"
(cd reader && npm ci --no-audit --no-fund)
(cd page && npm ci --no-audit --no-fund)

# What others install is built while it is packed, whatever was built before.
echo "== pack"
rm -rf reader/dist page/dist
(cd reader && npm pack --silent --pack-destination "$results")
tar -xzf "$results"/*.tgz -C "$results"
if [ -f "$results/package/dist/src/index.d.ts" ] && node "$results/package/dist/src/index.js"; then
  passed=$((passed + 1))
else
  fail "the package of npm pack has no built reader"
fi

echo "== check and build"
rm -rf reader/dist page/dist
(cd reader && npm run --silent build)
(cd page && npm run --silent check && npm run --silent build-tests)

echo "== test"
run reader/dist/test/*.test.js
run page/dist/page/test/file.test.js

# The page is built again: what the tool embeds is what the sources say.
echo "== page"
embedded=../src/Wire.Tool/Html/page.html
received=../src/Wire.Tool/Html/page.received.html
node page/build.js "$received"
if cmp "$received" "$embedded"; then
  passed=$((passed + 1))
  rm "$received"
else
  fail "src/Wire.Tool/Html/page.html is not what web/page is built to; eng/approve.sh puts page.received.html in its place"
fi

status=0
(cd page && node dist/page/test/support/has-browser.js) || status=$?
case $status in
  0) run page/dist/page/test/page.test.js page/dist/page/test/shots.test.js ;;
  3)
    echo "Left out: the tests of the page, which need chromium."
    if [ "${CI-}" = true ]; then fail "there is no chromium"; fi
    ;;
  *) fail "the browser was not looked for" ;;
esac

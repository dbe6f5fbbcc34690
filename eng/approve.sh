#!/usr/bin/env bash
# Accepts what tests have received: each `.received` file that a failed test has written takes the place of the approved one, so that
# `git diff` shows the change for the review. Lists of the public surface and of messages, tables of pages, the page of the tool, ratchets
# and the baseline of instructions are compared in this way. It changes nothing else; run the tests again afterwards.
#
#   eng/approve.sh          accepts all of them
#   eng/approve.sh --list   says which there are
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case "${1-}" in
  '' | --list) ;;
  *) echo "usage: eng/approve.sh [--list]" >&2; exit 2 ;;
esac

count=0
while IFS= read -r -d '' received; do
  received=${received#./}
  count=$((count + 1))
  approved=${received/.received./.}
  echo "$approved"
  if [ "${1-}" != --list ]; then mv "$received" "$approved"; fi
done < <(find docs src tests web -name '*.received.*' -not -path '*/node_modules/*' -not -path '*/bin/*' -not -path '*/obj/*' -print0 | sort -z)
if [ "$count" -eq 0 ]; then echo "Nothing was received: run the tests first."; fi

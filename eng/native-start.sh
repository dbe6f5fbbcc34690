#!/usr/bin/env bash
# Publishes tests/Wire.Packages.Tests/Programs/NativeMessages as native code, over Wire and over the source generator of System.Text.Json,
# and writes the size of each program and the processor time of a process that writes and reads a first message, and of one that does
# nothing: the least and the median of runs in turn. Figures of docs/publishing.md.
#
#   eng/native-start.sh [--runs N]     60 runs unless said
set -euo pipefail
runs=60
. "$(dirname "${BASH_SOURCE[0]}")/publishing.sh"
messages=$programs/NativeMessages

native_project wired "$wire"
cp "$messages"/*.cs "$work/wired"

native_project json ""
cp "$messages"/Messages.cs "$programs"/NativeMessagesJson/*.cs "$work/json"

for name in wired json; do
  native_publish "$name"
  printf '%-5s %8d bytes\n' "$name" "$(stat -c %s "$work/out-$name/$name")"
done
python3 - "$runs" "$work" <<'END'
import os, statistics, sys
runs, work = int(sys.argv[1]), sys.argv[2]
times = {(name, what): [] for name in ("wired", "json") for what in ("first", "empty")}
for _ in range(runs):
    for (name, what), taken in times.items():
        program = f"{work}/out-{name}/{name}"
        child = os.posix_spawn(program, [program, what], os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
        _, status, usage = os.wait4(child, 0)
        if status != 0:
            sys.exit(f"{name} {what}: {status}")
        taken.append((usage.ru_utime + usage.ru_stime) * 1000)
for (name, what), taken in times.items():
    print(f"{name:5} {what}: least {min(taken):.1f} ms, median {statistics.median(taken):.1f} ms of processor time")
END

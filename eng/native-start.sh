#!/usr/bin/env bash
# Publishes programs over Wire, with a generated context, and over the source generator of System.Text.Json: with the twenty types of
# tests/Wire.Packages.Tests/Programs/NativeMessages, of which one message is written and read, and with a hundred generated classes, of each
# of which one is. Natively and with ReadyToRun: writes the size of each program, and the processor time of a process that does it, and of
# one that does nothing: the least and the median of runs in turn. Figures of docs/publishing.md.
#
#   eng/native-start.sh [--runs N]     60 runs unless said
set -euo pipefail
runs=60
. "$(dirname "${BASH_SOURCE[0]}")/publishing.sh"
messages=$programs/NativeMessages

# hundred KIND: a hundred classes with members of many kinds, and what writes and reads one of each.
hundred() {
  echo 'using Hundred; namespace Hundred {'
  if [ "$1" = json ]; then
    for i in $(seq 100); do echo "[System.Text.Json.Serialization.JsonDerivedType(typeof(M$i), \"M$i\")]"; done
  fi
  echo 'public interface IMessage;'
  for i in $(seq 100); do
    echo "public class M$i : IMessage { public Guid Id { get; set; } public DateTime At { get; set; } public string? Name { get; set; }
      public int N$i { get; set; } public decimal Price { get; set; } public List<int>? Numbers { get; set; } public double? Rate { get; set; }
      public Part$i? Part { get; set; } }
      public class Part$i { public string? Text { get; set; } public long Number { get; set; } public bool IsOne { get; set; } }"
  done
  echo 'public static class All { public static IMessage[] Made() => ['
  for i in $(seq 100); do echo "new M$i { Name = \"$i\", N$i = $i, Numbers = [1, 2, $i], Part = new() { Text = \"part\", Number = $i } },"; done
  echo ']; } }'
  case $1 in
    json) cat <<'END'
[System.Text.Json.Serialization.JsonSerializable(typeof(IMessage))]
internal sealed partial class Context : System.Text.Json.Serialization.JsonSerializerContext;
internal static class Program
{
    private static void Main(string[] args)
    {
        foreach (IMessage message in args is ["empty"] ? [] : All.Made())
        {
            byte[] payload = System.Text.Json.JsonSerializer.SerializeToUtf8Bytes(message, Context.Default.IMessage);
            if (System.Text.Json.JsonSerializer.Deserialize(payload, Context.Default.IMessage)!.GetType() != message.GetType())
            {
                throw new InvalidOperationException();
            }
        }
    }
}
END
    ;;
    wired) cat <<'END'
[Wire.WireContext, Wire.WireDerivedFrom(typeof(IMessage))]
internal sealed partial class Context : Wire.WireTypes;
internal static class Program
{
    private static void Main(string[] args)
    {
        if (args is ["empty"])
        {
            return;
        }

        var serializer = new Wire.Serializer(new Wire.SerializerOptions
        {
            TypeFilter = Wire.WireTypeFilter.Default.AllowNamespace("Hundred"),
            Types = Context.Default,
        });
        foreach (IMessage message in All.Made())
        {
            if (serializer.Deserialize<IMessage>(serializer.Serialize(message))!.GetType() != message.GetType())
            {
                throw new InvalidOperationException();
            }
        }
    }
}
END
    ;;
  esac
}

native_project wired "$wire"
cp "$messages"/*.cs "$work/wired"
native_project json ""
cp "$messages"/Messages.cs "$programs"/NativeMessagesJson/*.cs "$work/json"
native_project wired100 "$wire"
hundred wired > "$work/wired100/Program.cs"
native_project json100 ""
hundred json > "$work/json100/Program.cs"

for name in wired json wired100 json100; do
  native_publish "$name"
  printf '%-9s %8d bytes\n' "$name" "$(stat -c %s "$work/out-$name/$name")"
  ready_publish "$name"
done
python3 - "$runs" "$work" <<'END'
import os, statistics, sys
runs, work = int(sys.argv[1]), sys.argv[2]
names = ("wired", "json", "wired100", "json100")
times = {(kind, name, what): [] for kind in ("out", "ready") for name in names for what in ("first", "empty")}
for run in range(runs):
    for (kind, name, what), taken in times.items():
        if kind == "ready" and run % 3 > 0:
            continue
        program = f"{work}/{kind}-{name}/{name}"
        child = os.posix_spawn(program, [program, what], os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
        _, status, usage = os.wait4(child, 0)
        if status != 0:
            sys.exit(f"{name} {what}: {status}")
        taken.append((usage.ru_utime + usage.ru_stime) * 1000)
for (kind, name, what), taken in times.items():
    kind = {"out": "native", "ready": "ReadyToRun"}[kind]
    print(f"{kind:10} {name:8} {what}: least {min(taken):.1f} ms, median {statistics.median(taken):.1f} ms of processor time")
END

using System.Diagnostics;
using System.Globalization;
using Wire;
using Wire.Soak;

// Many mixed messages through one serializer, with faults in between: what the process holds has to stay what it was after
// the first round. See docs/reference/security.md.
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
const int Rounds = 10;
const int Lanes = 2;
const double Growth = 1.05;

// What is few, such as handles: the last of them may be met late.
const int Slack = 4;

long messages = 10_000_000;
int seed = 1;
for (int i = 0; i + 1 < args.Length; i += 2)
{
    switch (args[i])
    {
        case "--messages": messages = long.Parse(args[i + 1], CultureInfo.InvariantCulture); break;
        case "--seed": seed = int.Parse(args[i + 1], CultureInfo.InvariantCulture); break;
        default: return Usage();
    }
}

if (args.Length % 2 != 0 || messages < Rounds * Lanes)
{
    return Usage();
}

var serializer = new Serializer(new SerializerOptions
{
    PreserveObjectReferences = true,
    TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>().Allow<Node>().Allow<Named>().Allow<Line>(),
    Surrogates =
    [
        Surrogate.Create<Token, TokenText>(
            token => token.Text == Faults.Poison ? throw new InjectedException() : new TokenText(token.Text),
            text => text.Text == Faults.Poison ? throw new InjectedException() : new Token(text.Text)),
    ],
});

Console.WriteLine("   messages    faults       /s   heap KB  resident MB  handles  threads  methods  assemblies");
var gauges = new List<Gauges>();
long faulted = 0;
for (int round = 1; round <= Rounds; round++)
{
    long start = Stopwatch.GetTimestamp();
    faulted += Round(round);
    double rate = messages / Rounds / Stopwatch.GetElapsedTime(start).TotalSeconds;
    var now = Gauges.Read();
    gauges.Add(now);
    Console.WriteLine(
        $"{messages / Rounds * round,11:N0} {faulted,9:N0} {rate,8:N0} {now.Heap / 1024,9:N0} {now.Resident >> 20,12:N0} " +
            $"{now.Handles,8} {now.Threads,8} {now.Methods,8} {now.Assemblies,11}");
}

// The runtime compiles hot methods again for a while, and rare ones late: what matters is that this ends.
string[] grown =
[
    .. Grown("heap", gauges[0], g => g.Heap),
    .. Grown("handles", gauges[0], g => g.Handles),
    .. Grown("threads", gauges[0], g => g.Threads),
    .. Grown("assemblies", gauges[0], g => g.Assemblies),
    .. Grown("methods", gauges[Rounds / 2], g => g.Methods),
];
Console.WriteLine(grown.Length == 0
    ? "Flat: heap, handles, threads and assemblies within 5% from the first round to the last, compiled methods from the middle one."
    : $"GREW: {string.Join(", ", grown)}");
return grown.Length == 0 ? 0 : 1;

// The threads are new in every round, so that what a thread keeps would add up.
long Round(int round)
{
    Lane[] lanes = [.. Enumerable.Range(0, Lanes).Select(lane => new Lane(serializer, (seed * 1_000_003) + (round * Lanes) + lane))];
    Exception? failure = null;
    Thread[] threads =
    [
        .. lanes.Select(lane => new Thread(() =>
        {
            try
            {
                lane.Run(messages / Rounds / Lanes);
            }
            catch (Exception e)
            {
                Volatile.Write(ref failure, e);
            }
        })),
    ];
    Array.ForEach(threads, thread => thread.Start());
    Array.ForEach(threads, thread => thread.Join());
    return failure is null
        ? lanes.Sum(lane => lane.Faulted)
        : throw new InvalidOperationException($"Round {round} failed: {failure.Message}", failure);
}

IEnumerable<string> Grown(string what, Gauges from, Func<Gauges, double> gauge) =>
    gauge(gauges[^1]) > Math.Max(gauge(from) * Growth, gauge(from) + Slack)
    ? [$"{what} {gauge(from):N0} to {gauge(gauges[^1]):N0}"]
    : [];

static int Usage()
{
    Console.Error.WriteLine($"usage: Wire.Soak [--messages N, at least {Rounds * Lanes}] [--seed N]");
    return 2;
}

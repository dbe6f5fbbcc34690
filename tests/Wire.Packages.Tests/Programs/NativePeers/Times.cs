using System.Diagnostics;
using System.Text.Json;
using MemoryPack;
using Nerdbank.MessagePack;
using PolyType;
using Shop;
using Wire;

// Two messages by each serializer, as an array of bytes and back. The rounds of all are in turn, so that what else the machine does
// meets each alike, and the figure is the median of the rounds.
internal static class Times
{
    private static readonly TimeSpan LeastRound = TimeSpan.FromMilliseconds(2);

    public static int Print(int rounds)
    {
        Print("order with ten lines", Order.Example(), JsonContext.Default.Order, order => order.Lines.Count, rounds);
        var log = new Log { Events = [.. Enumerable.Range(0, 5).SelectMany(_ => Events.Twenty())] };
        Print("100 objects of twenty classes", log, JsonContext.Default.Log, copy => copy.Events.Count, rounds);
        Creation.Print(rounds);
        return 0;
    }

    private static void Print<T>(
        string name, T value, System.Text.Json.Serialization.Metadata.JsonTypeInfo<T> info, Func<T, int> count, int rounds)
    {
        WireTypeFilter filter = WireTypeFilter.Default.AllowNamespace("Shop");
        var wire = new Serializer(new SerializerOptions { TypeFilter = filter, Types = Messages.Default });
        // Of the two, the second is for those who have no other version to read.
        var nerdbank = new MessagePackSerializer();
        MessagePackSerializer arrays = nerdbank with { PerfOverSchemaStability = true };
        ITypeShape<T> shape = NerdbankPeer.Shape<T>();
        List<Row<T>> rows =
        [
            new("Wire", wire.Serialize, payload => wire.Deserialize<T>(payload)),
            new("System.Text.Json", v => JsonSerializer.SerializeToUtf8Bytes(v, info), p => JsonSerializer.Deserialize(p, info)),
            new("MemoryPack", v => MemoryPackSerializer.Serialize(v), p => MemoryPackSerializer.Deserialize<T>(p)),
            new("Nerdbank.MessagePack", v => nerdbank.Serialize(v, shape), p => nerdbank.Deserialize(p, shape)),
            new("the same, PerfOverSchemaStability", v => arrays.Serialize(v, shape), p => arrays.Deserialize(p, shape)),
        ];
        // Native code of MemoryPack ends the process with some classes.
        int trip = Array.FindIndex(Trips.All, trip => trip is Trip<T>);
        if (Apart.Run(trip, Array.FindIndex(Peer.All, peer => peer is MemoryPackPeer)) is var result && result != Trip.Passed)
        {
            rows.RemoveAll(row => row.Name == "MemoryPack");
            Console.WriteLine($"MemoryPack: {result}");
        }

        foreach (Row<T> row in rows)
        {
            if (count(row.Read(row.Write(value))!) != count(value))
            {
                throw new InvalidOperationException($"{row.Name} has read something else.");
            }

            row.Prepare(value, LeastRound);
        }

        for (int i = 0; i < rounds; i++)
        {
            foreach (Row<T> row in rows)
            {
                row.Measure(value);
            }
        }

        Figures wireFigures = rows[0].Figures(value);
        Console.WriteLine($"| {name} | write | read | bytes | allocated by writing, reading |");
        Console.WriteLine("|---|---:|---:|---:|---:|");
        foreach (Row<T> row in rows)
        {
            Figures f = row.Figures(value);
            Console.WriteLine(
                $"| {row.Name} | {f.Write / wireFigures.Write:F2} ({f.Write:F0} ns) | {f.Read / wireFigures.Read:F2} ({f.Read:F0} ns) " +
                $"| {f.Bytes} | {f.WriteAllocated:N0}, {f.ReadAllocated:N0} |");
        }
    }
}

internal readonly record struct Figures(double Write, double Read, int Bytes, long WriteAllocated, long ReadAllocated);

internal sealed class Row<T>(string name, Func<T, byte[]> write, Func<byte[], T?> read)
{
    private readonly List<double> _writes = [];
    private readonly List<double> _reads = [];
    private byte[] _payload = [];
    private int _writesOfRound = 1;
    private int _readsOfRound = 1;

    public string Name => name;

    public byte[] Write(T value) => write(value);

    public T? Read(byte[] payload) => read(payload);

    // How often in a round, so that the clock is fine enough.
    public void Prepare(T value, TimeSpan least)
    {
        _payload = write(value);
        while (WriteRound(value) < least)
        {
            _writesOfRound *= 2;
        }

        while (ReadRound() < least)
        {
            _readsOfRound *= 2;
        }
    }

    public void Measure(T value)
    {
        _writes.Add(WriteRound(value).TotalNanoseconds / _writesOfRound);
        _reads.Add(ReadRound().TotalNanoseconds / _readsOfRound);
    }

    public Figures Figures(T value) => new(
        Median(_writes), Median(_reads), _payload.Length, Allocated(() => write(value)), Allocated(() => read(_payload)));

    private TimeSpan WriteRound(T value)
    {
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < _writesOfRound; i++)
        {
            write(value);
        }

        return Stopwatch.GetElapsedTime(start);
    }

    private TimeSpan ReadRound()
    {
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < _readsOfRound; i++)
        {
            read(_payload);
        }

        return Stopwatch.GetElapsedTime(start);
    }

    private static long Allocated<TResult>(Func<TResult> run)
    {
        const int Runs = 100;
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < Runs; i++)
        {
            run();
        }

        return (GC.GetAllocatedBytesForCurrentThread() - before) / Runs;
    }

    private static double Median(List<double> values) => values.Order().ElementAt(values.Count / 2);
}

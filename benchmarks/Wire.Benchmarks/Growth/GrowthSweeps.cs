using System.Buffers;
using Wire.Benchmarks.Floors;
using Wire.Benchmarks.Peers;

namespace Wire.Benchmarks.Growth;

/// <summary>What an element costs as there are more of them: whether anything grows faster than the data.</summary>
internal static class GrowthSweeps
{
    public const string TreeName = Trees + Times;
    public const string MessagesName = Messages + Times;
    public const int MostNodes = 10_000_000;

    private const string Times = ": time per element";
    private const string Trees = "Tree with parent links";
    private const string Messages = "Messages of many types in random order";
    private const int SlotCount = 2000;
    private static readonly int[] TypeCounts = [1, 2, 5, 10, 20, 50, 100, 200];
    private static readonly string Method =
        $"Median of at least three; a round trip is checked at every size. Times are {ProcessorClock.Name}.";

    private static readonly SerializerOptions Deeply =
        SerializerOptions.Default with { Limits = new Limits { MaxDepth = 1_000_000, MaxAllocation = long.MaxValue } };
    private static readonly SerializerOptions Any =
        SerializerOptions.Default with { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Slot>() };

    private static readonly (string Name, Func<IEnumerable<GrowthResult>> Measure)[] Sweeps =
    [
        ("Elements", () => new Sweep<List<Poco>>(
            "List of POCOs", "elements", Decades(
                10_000_000), Pocos, Deep.Same, Wire<List<Poco>>(Deeply), ByHand<List<Poco>, ListFloor>()).Run()),
        ("Nodes", () => new Sweep<TreeNode>(
            Trees, "nodes", Decades(MostNodes), Tree, Deep.Same, Wire<TreeNode>(
                Deeply with { PreserveObjectReferences = true }), ByHand<TreeNode, TreeFloor>()).Run()),
        ("Types", () => new Sweep<object[]>(
            "Types in an object[] of 2,000", "types", TypeCounts, types =>
                SlotSamples.Create(types, SlotCount), SlotSamples.Same, Wire<object[]>(Any)) { Elements = SlotCount }.Run()),
        ("Messages", () => new Sweep<object[]>(
            Messages,
            "types",
            TypeCounts,
            types => SlotSamples.Shuffled(types, SlotCount),
            SlotSamples.Same,
            new("Wire", () => new WireMessageCodec(new Serializer(Any))),
            new("by hand", () => new SlotMessageCodec(TypeCounts[^1]))) { Elements = SlotCount }.Run()),
        ("Depth", () => new Sweep<Link>(
            "Linked list", "depth", Decades(100_000), Link.Create, Link.Same, Wire<Link>(Deeply)).Run()),
    ];

    /// <summary>Measures, prints the tables, and writes the results to a file where one is asked for.</summary>
    public static void Run(Options options)
    {
        IReadOnlySet<string> wanted = options.Select(Sweeps.Select(sweep => sweep.Name));
        Console.WriteLine(Machine.Describe());
        List<GrowthResult> results = [];
        foreach ((_, Func<IEnumerable<GrowthResult>> measure) in Sweeps.Where(sweep => wanted.Contains(sweep.Name)))
        {
            foreach (GrowthResult result in measure())
            {
                results.Add(result);
                Console.WriteLine($"\n## {result.Name}\n");
                Console.Write(Table.Format(result));
            }
        }

        Results.Update(options.Json, file => file.With(options, Method, results));
    }

    private static Contender<T> Wire<T>(SerializerOptions options)
        where T : class => new("Wire", () => new WireCodec<T>(new Serializer(options), new ArrayBufferWriter<byte>(1024)));

    private static Contender<T> ByHand<T, TFloor>()
        where T : class
        where TFloor : struct, IFloor<T> => new("by hand", () => new FloorCodec<T, TFloor>(new ArrayBufferWriter<byte>(1024)));

    private static int[] Decades(int last)
    {
        List<int> sizes = [];
        for (long size = 1; size <= last; size *= 10)
        {
            sizes.Add((int)size);
        }

        return [.. sizes];
    }

    // One source of random numbers for all: making one for each takes longer than the rest.
    private static List<Poco> Pocos(int count)
    {
        var random = new Random(1);
        var pocos = new List<Poco>(count);
        for (int i = 0; i < count; i++)
        {
            pocos.Add(new Poco { StringProp = "hello", IntProp = random.Next(), GuidProp = random.Guid(), DateProp = random.Date() });
        }

        return pocos;
    }

    // A complete binary tree: the children of node i are 2i + 1 and 2i + 2.
    private static TreeNode Tree(int count)
    {
        var nodes = new TreeNode[count];
        nodes[0] = new TreeNode { Name = "node" };
        for (int i = 1; i < count; i++)
        {
            TreeNode parent = nodes[(i - 1) / 2];
            nodes[i] = new TreeNode { Id = i, Name = "node", Parent = parent };
            if (i % 2 == 1)
            {
                parent.Left = nodes[i];
            }
            else
            {
                parent.Right = nodes[i];
            }
        }

        return nodes[0];
    }
}

/// <summary>One way to write and read the values of a sweep; a new codec for each size, so that no memory of the last one stays.</summary>
internal sealed record Contender<T>(string Name, Func<ICodec<T>> Codec);

/// <summary>Writes and reads values of growing sizes.</summary>
/// <param name="name">What the values are.</param>
/// <param name="sizeName">What grows.</param>
/// <param name="sizes">How far.</param>
/// <param name="make">Makes a value of a size.</param>
/// <param name="same">Whether what was read is what was written.</param>
/// <param name="contenders">Who takes part; Wire comes first.</param>
internal sealed class Sweep<T>(
    string name, string sizeName, int[] sizes, Func<int, T> make, Func<T, T, bool> same, params Contender<T>[] contenders)
    where T : class
{
    private const double Milliseconds = 100;
    private const double ShortestSample = 1;
    private const int FewestRounds = 3;

    // Code is compiled for the second message of a type.
    private const int FirstCalls = 3;

    /// <summary>By what the figures are divided, when it is not the size.</summary>
    public int? Elements { get; init; }

    /// <returns>The times, and the bytes of Wire, each for one element.</returns>
    public IEnumerable<GrowthResult> Run()
    {
        WarmUp();
        List<Series> times = [];
        double[] bytes = new double[sizes.Length];
        double[][] writes = [.. contenders.Select(_ => new double[sizes.Length])];
        double[][] reads = [.. contenders.Select(_ => new double[sizes.Length])];
        for (int i = 0; i < sizes.Length; i++)
        {
            T value = make(sizes[i]);
            double count = Elements ?? sizes[i];
            for (int contender = 0; contender < contenders.Length; contender++)
            {
                (double write, double read, int payload) = Measure(contenders[contender].Codec(), value);
                writes[contender][i] = write / count;
                reads[contender][i] = read / count;
                bytes[i] = contender == 0 ? payload / count : bytes[i];
            }
        }

        for (int contender = 0; contender < contenders.Length; contender++)
        {
            times.Add(new Series($"{contenders[contender].Name}, write", writes[contender]));
            times.Add(new Series($"{contenders[contender].Name}, read", reads[contender]));
        }

        double[] axis = [.. sizes.Select(size => (double)size)];
        yield return new GrowthResult($"{name}: time per element", sizeName, "ns", axis, times);
        yield return new GrowthResult($"{name}: size per element", sizeName, "bytes", axis, [new Series(contenders[0].Name, bytes)]);
    }

    // With pauses, for the compiler's background thread to bring all code to its final tier.
    private void WarmUp()
    {
        T value = make(sizes[Math.Min(2, sizes.Length - 1)]);
        for (int i = 0; i < 3; i++)
        {
            foreach (Contender<T> contender in contenders)
            {
                Measure(contender.Codec(), value);
            }

            Thread.Sleep(120);
        }
    }

    private (double Write, double Read, int Bytes) Measure(ICodec<T> codec, T value)
    {
        double write = Time(() => codec.Write(value));
        byte[] payload = codec.Write(value).ToArray();
        T? read = null;
        double readTime = Time(() => read = codec.Read(payload));
        return same(value, read!)
            ? (write, readTime, payload.Length)
            : throw new InvalidOperationException($"{name}: what was read is not what was written.");
    }

    /// <summary>
    /// Nanoseconds: the median of several samples, each of as many calls as the clock needs, after calls that make room and code.
    /// </summary>
    private static double Time(Action action)
    {
        for (int i = 0; i < FirstCalls; i++)
        {
            action();
        }

        GC.Collect();
        int calls = 1;
        double sample = Time(action, calls);
        while (sample < ShortestSample)
        {
            calls *= 2;
            sample = Time(action, calls);
        }

        List<double> times = [sample / calls];
        while (times.Count < FewestRounds || times.Sum() * calls < Milliseconds)
        {
            times.Add(Time(action, calls) / calls);
        }

        return times.Median() * 1e6;
    }

    private static double Time(Action action, int calls)
    {
        double start = ProcessorClock.Nanoseconds();
        for (int i = 0; i < calls; i++)
        {
            action();
        }

        return (ProcessorClock.Nanoseconds() - start) / 1e6;
    }
}

using System.Buffers;
using Bench;
using Wire.Benchmarks.Floors;
using Wire.Benchmarks.Measuring;
using Wire.Benchmarks.Peers;

namespace Wire.Benchmarks.Growth;

/// <summary>What an element costs as there are more of them: whether anything grows faster than the data.</summary>
internal static class GrowthSweeps
{
    public const string TreeName = Trees + ": time per element";
    public const int MostNodes = 10_000_000;

    private const string Trees = "Tree with parent links";
    private const int SlotCount = 2000;
    private static readonly string Method = $"Median of at least three; a round trip is checked at every size. Times are {ProcessorClock.Name}, throughput is by the clock on the wall.";

    private static readonly SerializerOptions Deeply = SerializerOptions.Default with { Limits = new Limits { MaxDepth = 1_000_000, MaxAllocation = long.MaxValue } };
    private static readonly SerializerOptions Any = SerializerOptions.Default with { TypeFilter = TypeFilter.Default.AllowDerivedFrom<Slot>() };

    private static readonly (string Name, Func<IEnumerable<GrowthResult>> Measure)[] Sweeps =
    [
        ("Elements", () => new Sweep<List<Poco>>(
            "List of POCOs", "elements", Decades(10_000_000), Pocos, Deep.Same, Wire<List<Poco>>(Deeply), ByHand<List<Poco>, ListFloor>()).Run()),
        ("Nodes", () => new Sweep<TreeNode>(
            Trees, "nodes", Decades(MostNodes), Tree, Deep.Same, Wire<TreeNode>(Deeply with { PreserveObjectReferences = true }), ByHand<TreeNode, TreeFloor>()).Run()),
        ("Types", () => new Sweep<object[]>(
            "Types in an object[] of 2,000", "types", [1, 2, 5, 10, 20, 50, 100, 200], types => Slots.Create(types, SlotCount), Slots.Same, Wire<object[]>(Any)) { Elements = SlotCount }.Run()),
        ("Depth", () => new Sweep<Link>(
            "Linked list", "depth", Decades(100_000), Link.Create, Link.Same, Wire<Link>(Deeply)).Run()),
        ("Threads", Threads),
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

    private static IEnumerable<GrowthResult> Threads()
    {
        int[] sizes = [1, 2, 4, 8, 16];
        var serializer = new Serializer();
        Throughput.PerSecond([serializer], milliseconds: 500);
        double[] rates =
        [
            .. sizes.Select(size => Enumerable.Range(0, 3)
                .Select(_ => Throughput.PerSecond([.. Enumerable.Repeat(serializer, size)], milliseconds: 300) / 1e6)
                .ToArray().Median()),
        ];
        yield return new GrowthResult("Threads that share a serializer: throughput", "threads", "million round trips/s", [.. sizes.Select(size => (double)size)], [new Series("POCO, all threads together", rates)]);
    }
}

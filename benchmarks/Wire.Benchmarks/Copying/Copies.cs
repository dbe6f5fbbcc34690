using System.Buffers;
using Wire.Benchmarks.Reports;

namespace Wire.Benchmarks.Copying;

/// <summary>
/// Copies of graphs, by code that is written by hand, by <see cref="Serializer.Clone{T}"/>, and by writing and reading: all rows of one
/// scenario in turn in one process, and the median of each.
/// </summary>
internal static class Copies
{
    private const double Slice = 5;
    private const int Rounds = 41;

    public static void Run()
    {
        List<string[]> lines = [["Graph", "by", "ns", "x", "B"]];
        foreach (CopyScenario scenario in Scenarios())
        {
            lines.AddRange(Measure(scenario));
        }

        string table = $"{Machine.Describe()}\n\n{Table.Format(lines)}\n"
            + $"One copy in {ProcessorClock.Name}, median of {Rounds} interleaved slices of {Slice} ms; `x` is the median ratio to the "
            + "first row of the graph in the same round; `B` is allocated bytes, the copy's own among them (`./bench.sh --copies`).";
        Console.WriteLine(table);
        Page.Copies.Write("copies", table);
    }

    private static IEnumerable<CopyScenario> Scenarios()
    {
        // Reading as object needs the filter's leave; copies do not.
        SerializerOptions options = SerializerSuite.MixedOptions with
        {
            TypeFilter = SerializerSuite.MixedOptions.TypeFilter.Allow<TreeNode>(),
        };
        var plain = new Serializer(options);
        var tracking = new Serializer(options with { PreserveObjectReferences = true });
        Poco poco = Poco.Create(1);
        yield return Scenario(
            "POCO", plain, poco, (x, y) => x.HasSameMembers(y), batch: 100, ("hand", CopiesByHand.Copy));
        List<Poco> list = [.. Enumerable.Range(0, 1000).Select(Poco.Create)];
        yield return Scenario("List of 1,000 POCOs", plain, list, Deep.Same, 1, ("hand", CopiesByHand.Copy));
        var dictionary = list.Take(100).Index().ToDictionary(pair => $"key {pair.Index}", pair => pair.Item);
        yield return Scenario("Dictionary of 100 POCOs", plain, dictionary, Deep.Same, 1, ("hand", CopiesByHand.Copy));
        yield return Scenario(
            "Tree of 255 nodes, references",
            tracking,
            TreeNode.Create(levels: 8),
            Deep.Same,
            1,
            ("hand, an identity dictionary", CopiesByHand.Copy),
            ("hand, knowing that it is a tree", node => CopiesByHand.CopyTree(node)));
        object[] messages = Mixed.Messages(Traffic.Messages);
        yield return new CopyScenario(
            "Mixed types, one message", 1, messages.Length,
            [
                ("hand, a switch", Each(messages, CopiesByHand.Copy)),
                ("Clone", Each(messages, message => plain.Clone(message))),
                ("write and read", Each(messages, message => WrittenAndRead(plain, message))),
            ]);
    }

    private static CopyScenario Scenario<T>(
        string name, Serializer serializer, T value, Func<T, T, bool> same, int batch, params (string Name, Func<T, T> Copy)[] byHand)
        where T : class
    {
        (string Name, Func<T, T> Copy)[] rows =
        [
            .. byHand,
            ("Clone", x => serializer.Clone(x)),
            ("write and read", x => (T)WrittenAndRead(serializer, x)),
        ];
        foreach ((string row, Func<T, T> copy) in rows)
        {
            if (copy(value) is var made && (ReferenceEquals(made, value) || !same(made, value)))
            {
                throw new InvalidOperationException($"{name}, {row}: the copy is not equal.");
            }
        }

        return new CopyScenario(name, batch, 1, [.. rows.Select(row => (row.Name, Repeat(value, row.Copy)))]);
    }

    private static object WrittenAndRead(Serializer serializer, object value)
    {
        ArrayBufferWriter<byte> output = CopyScenario.Output;
        output.ResetWrittenCount();
        serializer.Serialize(value, output);
        return serializer.Deserialize<object>(output.WrittenSpan)!;
    }

    private static Action<int> Repeat<T>(T value, Func<T, T> copy) => times =>
    {
        for (int i = 0; i < times; i++)
        {
            CopyScenario.Result = copy(value);
        }
    };

    private static Action<int> Each(object[] messages, Func<object, object> copy) => times =>
    {
        for (int i = 0; i < times; i++)
        {
            foreach (object message in messages)
            {
                CopyScenario.Result = copy(message);
            }
        }
    };

    private static IEnumerable<string[]> Measure(CopyScenario scenario)
    {
        Cell[] cells = [.. scenario.Rows.Select(row => new Cell(row.Run, scenario.Batch, static () => { }))];
        for (int i = 0; i < 8; i++)
        {
            Array.ForEach(cells, cell => cell.WarmUp(milliseconds: 3));
            Thread.Sleep(120);
        }

        Array.ForEach(cells, cell => cell.Calibrate(Slice));
        Cell[] order = [.. cells];
        var random = new Random(1);
        for (int round = 0; round < Rounds; round++)
        {
            random.Shuffle(order);
            Array.ForEach(order, cell => cell.Measure());
        }

        for (int i = 0; i < cells.Length; i++)
        {
            Figures figures = cells[i].Summarize(cells[0], scenario.Units);
            yield return
            [
                i == 0 ? scenario.Name : "",
                scenario.Rows[i].Name,
                Table.Number(figures.Nanoseconds, figures.Nanoseconds < 1000 ? "0.0" : "N0"),
                Table.Number(figures.Ratio, "0.00"),
                Table.Number(figures.Bytes, "#,0.##"),
            ];
        }
    }
}

/// <summary>One graph and the ways to copy it.</summary>
/// <param name="Name">What the graph is.</param>
/// <param name="Batch">How many copies stand between two looks at the clock.</param>
/// <param name="Units">Of how many equal parts an operation consists: figures are those of one part.</param>
/// <param name="Rows">The ways; the first one is what the others are compared with.</param>
internal sealed record CopyScenario(string Name, int Batch, int Units, (string Name, Action<int> Run)[] Rows)
{
    public static ArrayBufferWriter<byte> Output { get; } = new(1 << 16);

    /// <summary>Where results go, so that none of the work is dead.</summary>
    public static object? Result { get; set; }
}

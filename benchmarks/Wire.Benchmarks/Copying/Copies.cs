using System.Buffers;
using Wire.Benchmarks.Reports;

namespace Wire.Benchmarks.Copying;

/// <summary>
/// Copies of graphs, by code that is written by hand, by <see cref="Serializer.Clone{T}"/>, and by writing and reading: all rows of one
/// scenario in turn in one process, and the median of each.
/// </summary>
internal static class Copies
{
    public static void Run()
    {
        List<string[]> lines = [["Graph", "by", "ns", "x", "B"]];
        foreach (Interleaved scenario in Scenarios())
        {
            lines.AddRange(scenario.Measure());
        }

        string table = $"{Machine.Describe()}\n\n{Table.Format(lines)}\n"
            + $"One copy in {Interleaved.Method}; the copy's own bytes are among the allocated ones (`./bench.sh --copies`).";
        Console.WriteLine(table);
        Page.Copies.Write("copies", table);
    }

    private static IEnumerable<Interleaved> Scenarios()
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
        yield return new Interleaved(
            "Mixed types, one message", 1, messages.Length,
            [
                ("hand, a switch", Each(messages, CopiesByHand.Copy)),
                ("Clone", Each(messages, message => plain.Clone(message))),
                ("write and read", Each(messages, message => WrittenAndRead(plain, message))),
            ]);
    }

    private static Interleaved Scenario<T>(
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

        return new Interleaved(name, batch, 1, [.. rows.Select(row => (row.Name, Repeat(value, row.Copy)))]);
    }

    private static object WrittenAndRead(Serializer serializer, object value)
    {
        ArrayBufferWriter<byte> output = Interleaved.Output;
        output.ResetWrittenCount();
        serializer.Serialize(value, output);
        return serializer.Deserialize<object>(output.WrittenSpan)!;
    }

    private static Action<int> Repeat<T>(T value, Func<T, T> copy) => times =>
    {
        for (int i = 0; i < times; i++)
        {
            Interleaved.Result = copy(value);
        }
    };

    private static Action<int> Each(object[] messages, Func<object, object> copy) => times =>
    {
        for (int i = 0; i < times; i++)
        {
            foreach (object message in messages)
            {
                Interleaved.Result = copy(message);
            }
        }
    };
}

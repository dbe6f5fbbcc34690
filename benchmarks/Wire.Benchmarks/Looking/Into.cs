using Wire.Benchmarks.Reports;

namespace Wire.Benchmarks.Looking;

/// <summary>Messages that are read into the objects of the one before, beside reading each anew.</summary>
internal static class Into
{
    private const int Elements = 1000;

    private static readonly SerializerOptions Options =
        new() { TypeFilter = WireTypeFilter.Default.Allow<Poco>().Allow<Order>().Allow<OrderStatus>() };

    private static readonly Serializer Plain = new(Options);

    private static readonly Serializer Numbering = new(Options with { PreserveObjectReferences = true });

    public static void Run()
    {
        List<string[]> lines = [["Message", "by", "ns", "x", "B"]];
        foreach (Interleaved scenario in new[]
        {
            Scenario("POCO", 100, Poco.Create(1), Poco.Create(1)),
            Scenario("POCO, other text", 100, Poco.Create(1), Poco.Create(2)),
            Scenario("40 members", 20, Seeded.Order(seed: 1), Seeded.Order(seed: 1)),
            Scenario("40 members, other text", 20, Seeded.Order(seed: 1), Seeded.Order(seed: 2)),
            Scenario("1,000 POCOs", 1, Pocos(0), Pocos(0)),
            Scenario("1,000 POCOs by name", 1, Named(), Named()),
            Scenario("1,000 numbers by name", 1, Numbers(), Numbers()),
            Scenario("10,000 doubles", 1, Doubles(0), Doubles(1)),
        })
        {
            lines.AddRange(scenario.Measure());
        }

        string table = $"{Machine.Describe()}\n\n{Table.Format(lines)}\n"
            + $"One message in {Interleaved.Method} (`./bench.sh --into`).";
        Console.WriteLine(table);
        Page.Into.Write("into", table);
    }

    private static List<Poco> Pocos(int seed) => [.. Enumerable.Range(seed, Elements).Select(Poco.Create)];

    private static Dictionary<string, Poco> Named() => Pocos(0).Select((poco, i) => ($"{i}", poco)).ToDictionary();

    private static Dictionary<string, int> Numbers() => Enumerable.Range(0, Elements).ToDictionary(i => $"{i}");

    private static double[] Doubles(int seed) => [.. Enumerable.Range(0, 10 * Elements).Select(i => (double)(i * seed))];

    // Messages of both come in turn.
    private static Interleaved Scenario<T>(string name, int batch, T one, T other)
        where T : class
    {
        byte[][] payloads = [Plain.Serialize(one), Plain.Serialize(other)];
        byte[][] numbered = [Numbering.Serialize(one), Numbering.Serialize(other)];
        T there = Plain.Deserialize<T>(payloads[0])!, shared = Numbering.Deserialize<T>(numbered[0])!;
        var equality = new GraphEquality(Plain);
        if (!equality.AreEqual(other, Plain.Deserialize(payloads[1], into: there))
            || !equality.AreEqual(other, Numbering.Deserialize(numbered[1], into: shared)))
        {
            throw new InvalidOperationException($"{name}: something else was read.");
        }

        return new Interleaved(
            name,
            batch,
            1,
            [
                ("Deserialize, anew", times => ReadAnew<T>(times, Plain, payloads)),
                ("into the last one", times => ReadInto(times, Plain, payloads, there)),
                ("anew, with references", times => ReadAnew<T>(times, Numbering, numbered)),
                ("into, with references", times => ReadInto(times, Numbering, numbered, shared)),
            ]);
    }

    private static void ReadAnew<T>(int times, Serializer serializer, byte[][] payloads)
        where T : class
    {
        for (int i = 0; i < times; i++)
        {
            Interleaved.Result = serializer.Deserialize<T>(payloads[i & 1]);
        }
    }

    private static void ReadInto<T>(int times, Serializer serializer, byte[][] payloads, T there)
        where T : class
    {
        for (int i = 0; i < times; i++)
        {
            serializer.Deserialize(payloads[i & 1], into: there);
        }
    }
}

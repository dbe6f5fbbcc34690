using System.Buffers;

namespace Wire.Benchmarks.Framing;

/// <summary>
/// How near <see cref="Serializer.EstimateSize{T}(T)"/> comes to what the messages of the benchmarks take, and what it costs.
/// </summary>
internal static class SizeBench
{
    private const int Times = 200;
    private const int Rounds = 15;

    private static readonly ArrayBufferWriter<byte> Output = new(1 << 22);

    public static string Measure()
    {
        var plain = new Serializer();
        var tracking = new Serializer(new SerializerOptions { PreserveObjectReferences = true });
        List<string[]> lines = [["Messages", "bytes", "least estimate", "median", "most", "cost x"]];
        lines.Add(Line("POCO", plain, [.. Seeded.Pocos(200)]));
        lines.Add(Line("Mixed types", plain, Mixed.Messages(2000)));
        lines.Add(Line("Varied text", plain, Mixed.Texts(2000)));
        lines.Add(Line("40 members", plain, [.. Enumerable.Range(0, 50).Select(Seeded.Order)]));
        lines.Add(Line("Lists of 0 to 200 POCOs", plain, Lists()));
        lines.Add(Line("Tree of 255 nodes, references", tracking, [TreeNode.Create(levels: 8)]));
        lines.Add(Line("int[10,000]", plain, [new int[10_000]]));
        return $"{Table.Format(lines)}\n"
            + "Estimates as parts of what the message then took, over all messages in turn, without the first of each kind; "
            + "`cost x` is the "
            + $"median ratio of the time of an estimate to the time of writing the message, in {Rounds} interleaved rounds "
            + "(`./bench.sh --frames`).";
    }

    private static object[] Lists()
    {
        var random = new Random(3);
        return [.. Enumerable.Range(0, 200).Select(_ => (object)new List<Poco>(Seeded.Pocos(random.Next(200))))];
    }

    private static string[] Line(string name, Serializer serializer, object[] messages)
    {
        foreach (object message in messages)
        {
            serializer.EstimateSize(message);
            Write(serializer, message);
            Write(serializer, message);
        }

        List<double> parts = [], sizes = [];
        foreach (object message in messages)
        {
            int estimate = serializer.EstimateSize(message);
            long size = Write(serializer, message);
            parts.Add((double)estimate / size);
            sizes.Add(size);
        }

        List<double> costs = [];
        int times = Math.Max(1, Times / messages.Length);
        for (int round = 0; round < Rounds; round++)
        {
            double start = ProcessorClock.Nanoseconds();
            for (int i = 0; i < times; i++)
            {
                foreach (object message in messages)
                {
                    serializer.EstimateSize(message);
                }
            }

            double middle = ProcessorClock.Nanoseconds();
            for (int i = 0; i < times; i++)
            {
                foreach (object message in messages)
                {
                    Write(serializer, message);
                }
            }

            costs.Add((middle - start) / (ProcessorClock.Nanoseconds() - middle));
        }

        return
        [
            name,
            Table.Number(sizes.Median(), "N0"),
            Table.Number(parts.Min(), "0.00"),
            Table.Number(parts.Median(), "0.00"),
            Table.Number(parts.Max(), "0.00"),
            Table.Number(costs.Median(), "0.00"),
        ];
    }

    private static long Write(Serializer serializer, object message)
    {
        Output.ResetWrittenCount();
        return serializer.Serialize(message, Output);
    }
}

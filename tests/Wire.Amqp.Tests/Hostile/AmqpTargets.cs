using System.Buffers;
using System.Text;
using Wire.Amqp.Bodies;
using Wire.Amqp.Testing.Fuzzing;
using Wire.Amqp.V091;
using Wire.Testing;
using Wire.Testing.Fuzzing;

namespace Wire.Amqp.Tests.Hostile;

/// <summary>What reads AMQP from outside.</summary>
internal static class AmqpTargets
{
    private const string Frames = "amqp 0-9-1 frames";

    public static IEnumerable<Target> All =>
    [
        new AmqpTarget("amqp 0-9-1 frames", Frames, Captured, Rewrite091.Frames),
        new AmqpTarget("amqp 0-9-1 bodies", Frames, Bodies, Rewrite091.Bodies),
        new AmqpTarget("amqp 0-9-1 table", "amqp 0-9-1 tables", () => [new Seed("all types", Table())], Rewrite091.Table),
        new AmqpTarget("amqp 0-9-1 gathered", "amqp 0-9-1 gathered", Gathered, Rewrite091.Gathered) { Fixed = Rewrite091.MaxGathered },
        new AmqpTarget("amqp 1.0 values", "amqp 1.0 values", Seeds10.Values, Rewrite10.Values),
        new AmqpTarget("amqp 1.0 message", "amqp 1.0 messages", Seeds10.Messages, Rewrite10.Message),
    ];

    // What RabbitMQ and its client have said to each other, in pieces of a few frames.
    private static IEnumerable<Seed> Captured()
    {
        foreach (string file in Directory.GetFiles(
            Path.Combine(Repository.Root, "tests", "Wire.Amqp.Tests", "Interop", "Captures"), "*.bin").Order(StringComparer.Ordinal))
        {
            byte[] bytes = File.ReadAllBytes(file);
            int at = bytes.AsSpan().StartsWith("AMQP"u8) ? ProtocolHeader.Size : 0;
            for (int i = 0; at < bytes.Length && bytes[at] is >= 1 and <= 8; i++)
            {
                int size = (int)NetworkOrder.Read<uint>(bytes.AsSpan(at + 3)) + 8;
                yield return new Seed($"{Path.GetFileNameWithoutExtension(file)} {i}", bytes[at..(at + size)]);
                at += size;
            }
        }
    }

    private static IEnumerable<Seed> Bodies()
    {
        object[] values =
        [
            "text",
            new List<int> { 1, 2, 3 },
            new object?[] { 1, "two", 3.0, null, new byte[5000] },
            new Dictionary<string, decimal> { ["a"] = 1.5m },
        ];
        foreach (Compression compression in Enum.GetValues<Compression>())
        {
            var body = new AmqpBody(new Serializer(), new AmqpBodyOptions { Compression = compression, CompressAbove = 0 });
            foreach (object value in values)
            {
                using var output = new AmqpBuffer();
                body.Write(output, 1, new BasicPublish { Exchange = "e", RoutingKey = "k" }, default, value, Rewrite091.FrameMax);
                yield return new Seed($"{compression} {value}", output.Written.ToArray());
            }
        }
    }

    private static IEnumerable<Seed> Gathered()
    {
        BasicProperties[] all =
        [
            default,
            new() { MessageId = "one", ContentType = "application/x-wire" },
            new() { MessageId = "other", ContentType = "application/x-wire", Headers = FieldTable.Create([new("a", 1)]) },
        ];
        foreach (string text in (string[])["", "a", new('b', 5000)])
        {
            using var writer = new GatheredBodyWriter();
            foreach (BasicProperties properties in all)
            {
                writer.Add(in properties, Encoding.UTF8.GetBytes(text));
                writer.Add(in properties, Encoding.UTF8.GetBytes(text + "end"));
            }

            yield return new Seed($"{text.Length} bytes", writer.Written.ToArray());
        }
    }

    private static byte[] Table()
    {
        var builder = new FieldTableBuilder();
        object?[] values =
        [
            true,
            (sbyte)-1,
            (byte)1,
            (short)-2,
            (ushort)2,
            -3,
            3u,
            -4L,
            1.5f,
            2.5,
            12.34m,
            "text",
            new Timestamp(5),
            null,
            new byte[] { 1, 2 },
        ];
        foreach (object? value in values)
        {
            builder.Add($"{value?.GetType().Name}", FieldValue.From(value));
        }

        builder.BeginTable("table");
        builder.BeginArray("array");
        foreach (object? value in values)
        {
            builder.Add(FieldValue.From(value));
        }

        builder.BeginTable();
        builder.Add("deep", 1);
        builder.End();
        builder.End();
        builder.End();
        byte[] bytes = new byte[sizeof(int) + builder.Table.Encoded.Length];
        var writer = new AmqpWriter(bytes);
        builder.Table.Write(ref writer);
        return bytes;
    }
}

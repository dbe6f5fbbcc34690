using System.Collections.ObjectModel;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Xml.Linq;
using Wire.Tests.Testing;

namespace Wire.Tests.Hostile;

/// <summary>
/// Payloads that have been made to take long, or much memory, for their bytes. The fuzzer has small ones, the benchmarks large ones.
/// </summary>
internal static class CraftedPayloads
{
    private const byte Int32 = 0x15;

    /// <summary>Let all of them begin.</summary>
    public static SerializerOptions Options { get; } = SerializerOptions.Default with
    {
#pragma warning disable WIRE111 // Not a filter is tried here, but what lies behind it.
        TypeFilter = WireTypeFilter.Unrestricted,
#pragma warning restore WIRE111
        PreserveObjectReferences = true,
    };

    private static readonly Serializer Writer = new(Options);

    private static string Home => typeof(CraftedPayloads).Assembly.GetName().Name!;

    /// <summary>What each does, and how it is made: how large, and with which number in the names that it makes up.</summary>
    public static (string What, Func<int, int, byte[]> Make)[] All { get; } =
    [
        ("collections around each other, 64 deep", (count, _) => Chains(count)),
        ("collections around each other in one chain", (count, _) => Chain(count * 10)),
        ("made-up schemas, a value each", (count, seed) => Schemas(Part(count, 10), values: 1, seed)),
        ("made-up schemas, nine values each", (count, seed) => Schemas(Part(count, 10), values: 9, seed)),
        ("a schema of shapes 30 deep in each other", Nested),
        ("types that double with every level of their names", (count, seed) => Doubling(Part(count, 100), seed)),
        ("one type over and over, as a value", (count, _) => Types(count * 4, _ => $"{typeof(Holder).FullName}, {Home}")),
        ("lists of lists, as values", (count, _) => Types(Part(count, 10), i => Lists(i % 40))),
        ("made-up cultures", Cultures),
        ("JSON: numbers", (count, _) => Bytes(Json($"[{string.Join(',', Enumerable.Repeat("1", count * 10))}]"))),
        ("JSON: objects without regard to case", (count, _) => Bytes(Objects(count))),
        ("JSON: properties of one object",
            (count, _) => Bytes(Json($"{{{string.Join(',', Enumerable.Range(0, count).Select(i => $"\"{i}\":1"))}}}"))),
        ("JSON: small texts", (count, _) => Bytes(Enumerable.Range(0, count).Select(_ => JsonSerializer.SerializeToElement(1)).ToArray())),
        ("XML: elements", (count, _) => Bytes(new XElement("x", Enumerable.Range(0, count).Select(i => new XElement($"a{i}"))))),
        ("tuples as keys, of one array", (count, _) => Bytes(Keys(count))),
        ("objects of a removed member", (count, _) => Removed(count)),
        ("exceptions inside each other",
            (count, _) => Bytes(Enumerable.Range(0, Part(count, 100)).Select(i => Nest(Math.Min(100, count))).ToArray())),
        ("texts of one character", (count, _) => Bytes(Enumerable.Repeat("a", count * 10).ToArray<object>())),
    ];

    private static int Part(int count, int by) => Math.Max(1, count / by);

    private static byte[] Bytes(object value) => Writer.Serialize(value);

    private static byte[] Chains(int count) => Around(Part(count, 64), Math.Min(64, count));

    private static byte[] Chain(int count) => Around(1, count);

    // An array of arrays, with collections around each, of which each is made flat by a reference to the one that it stands around.
    private static byte[] Around(int chains, int depth)
    {
        var payload = new PayloadWriter().Byte(0x12, 0x05, 0x2F).Number(chains * depth);
        int number = 0;
        for (int chain = 0; chain < chains; chain++)
        {
            for (int i = 0; i < depth; i++)
            {
                payload = number == 0
                    ? payload.Definition(typeof(Collection<object>), schema => schema.Byte(0x46, 0x00))
                    : payload.Byte(0x80);
                number++;
                if (i == 0)
                {
                    payload.Byte(0x05, 0x2F, 0x00);
                    number++;
                }
                else
                {
                    payload.Byte(0x01).Number(i == 1 ? number - 2 : number - 1);
                }
            }
        }

        return payload.Bytes;
    }

    private static byte[] Schemas(int schemas, int values, int seed)
    {
        var payload = new PayloadWriter().Byte(0x10, 0x05, 0x2F).Number(schemas * values);
        for (int i = 0; i < schemas; i++)
        {
            payload.Definition(typeof(Holder), schema => WithNumber(schema, 1).Name($"Z{seed}.{i}").Byte(Int32)).Byte(new byte[8]);
            for (int j = 1; j < values; j++)
            {
                payload = i < 0x80 ? payload.Byte((byte)(0x80 + i)) : payload.Byte(0x03).Number(i);
                payload.Byte(new byte[8]);
            }
        }

        return payload.Bytes;
    }

    // A value needs a member that its type has.
    private static PayloadWriter WithNumber(PayloadWriter schema, int others) =>
        schema.Byte(0x44).Number(1 + others).Name(nameof(Holder.Number)).Byte(Int32);

    // As much of it as one manifest has room for, and as many of these.
    private static byte[] Nested(int count, int seed)
    {
        int members = Math.Min(200, count);
        var payload = new PayloadWriter().Byte(0x10, 0x05, 0x2F).Number(Part(count, 50));
        for (int i = 0; i < Part(count, 50); i++)
        {
            payload.Definition(
                typeof(Holder),
                schema =>
                {
                    WithNumber(schema, members);
                    for (int j = 0; j < members; j++)
                    {
                        schema.Name($"Z{seed}.{i}.{j}").Byte([.. Enumerable.Repeat((byte)0x41, 30), Int32]);
                    }
                }).Byte(new byte[4 + members]);
        }

        return payload.Bytes;
    }

    private static byte[] Doubling(int count, int seed)
    {
        var payload = new PayloadWriter().Byte(0x10, 0x05, 0x2F).Number(count);
        for (int i = 0; i < count; i++)
        {
            Type type = typeof(int);
            for (int j = 0; j < 6 + (i % 4); j++)
            {
                type = typeof(Twice<>).MakeGenericType(type);
            }

            payload
                .Definition(type, schema => schema.Byte(0x44, 0x02).Name("First").Byte(0x46, 0x00).Name($"Z{seed}.{i}").Byte(Int32))
                .Byte(0, 0, 0, 0, 0);
        }

        return payload.Bytes;
    }

    private static byte[] Types(int count, Func<int, string> name)
    {
        var payload = new PayloadWriter().Byte(0x10, 0x05, 0x2F).Number(count);
        for (int i = 0; i < count; i++)
        {
            payload.Byte(0x2E).Text(name(i));
        }

        return payload.Bytes;
    }

    private static string Lists(int depth) => depth == 0 ? "System.Int32" : $"System.Collections.Generic.List`1[[{Lists(depth - 1)}]]";

    private static byte[] Cultures(int count, int seed)
    {
        var payload = new PayloadWriter().Byte(0x10, 0x05, 0x2F).Number(count);
        byte[] honest = Bytes(new object[] { CultureInfo.GetCultureInfo("de"), CultureInfo.GetCultureInfo("fr") });
        int second = honest.AsSpan().IndexOf("\u0005fr"u8) - 1;
        byte[] prefix = honest[4..honest.AsSpan().IndexOf("\u0005de"u8)];
        for (int i = 0; i < count; i++)
        {
            payload = i == 0 ? payload.Byte(prefix) : payload.Byte(honest[second..(second + 1)]);
            payload.Text($"{(char)('a' + (i % 26))}{(char)('a' + (i / 26 % 26))}{(char)('a' + (i / 676 % 26))}-x-{seed}-{i}");
        }

        return payload.Bytes;
    }

    private static JsonNode Json(string text) => JsonNode.Parse(text)!;

    private static JsonArray Objects(int count)
    {
        var options = new JsonNodeOptions { PropertyNameCaseInsensitive = true };
        return JsonNode.Parse($"[{string.Join(',', Enumerable.Repeat("{\"\":1}", count * 4))}]", options)!.AsArray();
    }

    private static HashSet<Tuple<int, byte[]>> Keys(int count)
    {
        byte[] shared = new byte[100];
        return [.. Enumerable.Range(0, count * 4).Select(i => Tuple.Create(i, shared))];
    }

    private static byte[] Removed(int count)
    {
        var payload = new PayloadWriter().Byte(0x12, 0x05, 0x2F).Number(count);
        for (int i = 0; i < count; i++)
        {
            payload = i == 0
                ? payload.Definition(
                    typeof(Holder), schema => WithNumber(schema, 2).Name("A").Byte(0x46, 0x00).Name("B").Byte(0x46, 0x00))
                : payload.Byte(0x80);
            payload.Byte(0, 0, 0, 0, 0x05, 0x2F, 0x00, 0x01).Number(i == 0 ? 2 : i % 7);
        }

        return payload.Bytes;
    }

    private static InvalidOperationException Nest(int depth) =>
        depth == 0 ? new InvalidOperationException("a") : new InvalidOperationException("a", Nest(depth - 1));

    public sealed class Holder
    {
        public int Number { get; set; }
    }

    public struct Twice<T>
    {
        public T[]? First { get; set; }

        public T[]? Second { get; set; }
    }
}

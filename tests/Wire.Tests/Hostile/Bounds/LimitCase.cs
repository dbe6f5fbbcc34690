using System.Numerics;
using Wire.Tests.Behaviour;

namespace Wire.Tests.Hostile.Bounds;

/// <summary>A value that exhausts one limit exactly.</summary>
/// <param name="Limit">The limit's name.</param>
/// <param name="What">What the value is.</param>
/// <param name="Value">The value.</param>
/// <param name="Exact">The smallest limit with which it can be written and read; null where that is searched for.</param>
/// <param name="OnWrite">Whether the limit is checked on write.</param>
public sealed record LimitCase(string Limit, string What, object Value, long? Exact, bool OnWrite = true)
{
    public static IReadOnlyList<LimitCase> All { get; } =
    [
        new(nameof(Limits.MaxDepth), "a chain", Chain(5), 5),
        new(nameof(Limits.MaxDepth), "lists in lists", new List<object> { new List<object> { new List<object>() } }, 3),
        new(nameof(Limits.MaxElements), "an array", new int[100], 100),
        new(nameof(Limits.MaxElements), "an array of bytes", new byte[5000], 5000),
        new(nameof(Limits.MaxElements), "a list", new List<string?>(new string?[70]), 70),
        new(nameof(Limits.MaxElements), "a dictionary", Enumerable.Range(0, 10).ToDictionary(i => i), 10),
        new(nameof(Limits.MaxElements), "a set", new HashSet<string> { "a", "b", "c" }, 3),
        new(nameof(Limits.MaxElements), "a queue", new Queue<int>([1, 2, 3]), 3),
        new(nameof(Limits.MaxElements), "a grid", new int[4, 5], 20),
        new(nameof(Limits.MaxElements), "a big integer", BigInteger.Pow(2, 1000), 126),
        new(nameof(Limits.MaxElements), "memory", new Box<Memory<int>> { Value = new int[9] }, 9),
        new(nameof(Limits.MaxElements), "a bit array", new System.Collections.BitArray(81), 11),
        new(nameof(Limits.MaxElements), "an iterator", Iterate(12), 12),
        new(nameof(Limits.MaxElements), "a query that knows its length", Enumerable.Range(0, 12).Select(i => i * 2), 12),
        new(
            nameof(Limits.MaxObjects),
            "objects in an array",
            new object[] { new Leaf { Text = "not counted" }, new object(), 5, "text", new int[3], new Point() },
            5),
        new(nameof(Limits.MaxObjects), "a chain", Chain(4), 4),
        new(nameof(Limits.MaxObjects), "a value type", new Rich { Any = new Leaf(), Inner = [new Rich()] }, 3),
        new(nameof(Limits.MaxStringLength), "text", new string('a', 65), 65),
        new(nameof(Limits.MaxStringLength), "long text", new Leaf { Text = new string('a', 3000) }, 3000),
        new(nameof(Limits.MaxStringLength), "wide text", new string('\u4E2D', 100), 100),
        new(nameof(Limits.MaxStringLength), "text in a dictionary", new Dictionary<string, string> { [new string('k', 70)] = "v" }, 70),
        new(nameof(Limits.MaxStringLength), "a URI", new Uri("http://a/" + new string('b', 91)), 100),
        new(nameof(Limits.MaxBytes), "bytes", new byte[5000], 5005),
        new(nameof(Limits.MaxBytes), "an integer", 5, 6),
        new(nameof(Limits.MaxBytes), "text", new string('a', 50), 53),
        new(nameof(Limits.MaxManifests), "three types", new object[] { new Leaf(), new Node(), new Leaf(), new Cat(), 5, new int[1] }, 3),
        new(nameof(Limits.MaxManifests), "one type", new Leaf(), 1) { HasNothingBelow = true },
        new(
            nameof(Limits.MaxManifestBytes),
            "three types",
            new object[] { new Leaf(), new Node(), new Leaf(), new Cat(), 5, new int[1] },
            null),
        new(nameof(Limits.MaxAllocation), "an array", new byte[5000], null),
        new(nameof(Limits.MaxAllocation), "text", new string('a', 3000), 6022),
        new(nameof(Limits.MaxAllocation), "a big integer", BigInteger.Pow(2, 8000), 1001),
        new(
            nameof(Limits.MaxAllocation),
            "a JSON node",
            System.Text.Json.Nodes.JsonNode.Parse("{\"a\":[1,2,{\"b\":null}],\"c\":\"d\"}")!,
            null),
        new(
            nameof(Limits.MaxAllocation),
            "a JSON element",
            new[]
            {
                System.Text.Json.JsonElement.Parse("[[],[],{}]"), default,
                System.Text.Json.JsonElement.Parse(new string('[', 100) + new string(']', 100), new() { MaxDepth = 100 }),
            },
            null),
        new(nameof(Limits.MaxAllocation), "an iterator", Iterate(100), null),
        new(nameof(Limits.MaxAllocation), "a graph", new object[]
        {
            Poco.Sample(),
            Chain(10),
            new int[4, 5],
            new Dictionary<int, string> { [1] = new string('x', 70) },
            new LinkedList<long>([1, 2]),
        }, null),
        new(nameof(Limits.MaxAllocation), "a value type", new Rich { Any = new Leaf(), Inner = [new Rich()] }, null),
        new(
            nameof(Limits.MaxCollisions),
            "keys of one hash code",
            new HashSet<Clash>(Enumerable.Range(0, 200).Select(i => new Clash { Id = i })),
            null,
            OnWrite: false),
    ];

    /// <summary>Whether the limit is the smallest that can be set.</summary>
    public bool HasNothingBelow { get; private init; }

    public static LimitCase Find(string limit, string what) => All.Single(c => c.Limit == limit && c.What == what);

    /// <summary>A serializer with the limit at a value.</summary>
    public Serializer Serializer(bool dynamicCode, bool references, long limit)
    {
        Limits limits = Limits.Default with { };
        System.Reflection.PropertyInfo property = typeof(Limits).GetProperty(Limit)!;
        property.SetValue(limits, property.PropertyType == typeof(int) ? (object)(int)limit : limit);
        return Setup.Serializer(dynamicCode, o => o with { Limits = limits, PreserveObjectReferences = references });
    }

    /// <summary>The smallest limit with which the value can be read.</summary>
    public long Smallest(bool dynamicCode, bool references, byte[] payload)
    {
        // Between what can be set and what no value of these exceeds.
        (long refused, long taken) = Limit switch
        {
            nameof(Limits.MaxStringLength) => (63, 1 << 20),
            nameof(Limits.MaxManifests) => (0, 1 << 16),
            _ => (0L, 1L << 20),
        };
        while (taken - refused > 1)
        {
            long middle = (refused + taken) / 2;
            try
            {
                Serializer(dynamicCode, references, middle).Deserialize<object>(payload);
                taken = middle;
            }
            catch (WireFormatException e) when (e.Error == WireFormatError.Limit)
            {
                refused = middle;
            }
        }

        return taken;
    }

    public override string ToString() => $"{Limit}: {What}";

    private static IEnumerable<int> Iterate(int count)
    {
        for (int i = 0; i < count; i++)
        {
            yield return i;
        }
    }

    private static Node Chain(int count)
    {
        Node? node = null;
        for (int i = 0; i < count; i++)
        {
            node = new Node { Next = node };
        }

        return node!;
    }

    /// <summary>Keys that all have the same hash code.</summary>
    public sealed record Clash
    {
        public int Id;

        public bool Equals(Clash? other) => other is not null && other.Id == Id;

        public override int GetHashCode() => 7;
    }
}

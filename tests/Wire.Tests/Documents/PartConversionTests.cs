using System.Buffers;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using Wire.Comparing;
using Xunit;

namespace Wire.Tests.Documents;

/// <summary>A part is read as whatever a member may be read as that has this type: the same value, or the same refusal.</summary>
public class PartConversionTests
{
    private static readonly SerializerOptions Options = new() { TypeFilter = WireTypeFilter.Unrestricted };

    private static readonly IVariable[] Variables =
    [
        new Variable<int>(5, -1, 300), new Variable<byte>(7), new Variable<long>(7, long.MaxValue), new Variable<ulong>(ulong.MaxValue),
        new Variable<Int128>(9), new Variable<double>(2, 2.5), new Variable<float>(2, 0.1f), new Variable<Half>((Half)1.5),
        new Variable<decimal>(3, 3.5m), new Variable<Side>(Side.Right, (Side)9), new Variable<int?>(null, 5), new Variable<long?>(null, 5),
        new Variable<Side?>(null, Side.Left), new Variable<bool>(true), new Variable<char>('c'), new Variable<DateTime>(DateTime.UnixEpoch),
        new Variable<Guid>(Guid.Empty), new Variable<string?>(null, "text"), new Variable<Uri?>(null, new Uri("http://a/")),
        new Variable<Version?>(new Version(1, 2)), new Variable<IComparable?>(5, "text", null),
        new Variable<object?>(5, "text", null, new[] { 1, 2 }, new List<int> { 3 }, new Corner { X = 1 }, new Leaf { Name = "x" }),
        new Variable<int[]?>([1, 2], [], null), new Variable<long[]?>([1, long.MaxValue]), new Variable<byte[]?>([1, 2]),
        new Variable<string?[]?>(["a", null], null), new Variable<List<int>?>([1, 2, 2], null), new Variable<List<string>?>(["a"], null),
        new Variable<List<Corner>?>([new() { X = 1 }]), new Variable<Corner[]?>([new() { X = 2 }]), new Variable<HashSet<int>?>([1, 2]),
        new Variable<HashSet<string>?>(new HashSet<string>(StringComparer.OrdinalIgnoreCase) { "A" }), new Variable<Queue<int>?>(new([1])),
        new Variable<IEnumerable<int>?>(new[] { 1 }, new List<int> { 2 }, null), new Variable<IReadOnlyList<long>?>(new List<long> { 2 }),
        new Variable<ImmutableList<int>?>([1, 2]), new Variable<ImmutableHashSet<int>?>([1]),
        new Variable<FrozenSet<int>?>(FrozenSet.Create(4)),
        new Variable<ReadOnlyCollection<int>?>(new ReadOnlyCollection<int>([1, 2]), null),
        new Variable<ImmutableArray<int>>([1, 2], default),
        new Variable<ImmutableArray<int>?>([1, 2], null), new Variable<ImmutableArray<string>>(["a"], default),
        new Variable<Memory<int>>(new int[] { 1, 2 }), new Variable<ReadOnlyMemory<int>>(new int[] { 1, 2 }),
        new Variable<ReadOnlyMemory<long>>(new long[] { 1, 2 }), new Variable<ReadOnlySequence<int>>(new ReadOnlySequence<int>([1, 2])),
        new Variable<ArraySegment<int>>(new ArraySegment<int>([1, 2, 3], 1, 2), default),
        new Variable<ArraySegment<int>?>(null, new ArraySegment<int>([1])),
        new Variable<Dictionary<string, int>?>(new() { ["a"] = 1 }, null),
        new Variable<SortedDictionary<string, long>?>(new() { ["a"] = 1 }),
        new Variable<ImmutableDictionary<string, int>?>(ImmutableDictionary.CreateRange([KeyValuePair.Create("a", 1)])),
        new Variable<IReadOnlyDictionary<string, int>?>(new Dictionary<string, int> { ["a"] = 1 }), new Variable<(int, string)>((1, "a")),
        new Variable<(long, string)>((1, "a")), new Variable<(int, string)?>((1, "a"), null),
        new Variable<Tuple<int, string>?>(new(1, "a")),
        new Variable<KeyValuePair<int, string>>(new(1, "a")), new Variable<Corner>(new Corner { X = 1 }),
        new Variable<WideCorner>(new WideCorner { X = 2 }),
        new Variable<Corner?>(null, new Corner { X = 1 }), new Variable<Leaf?>(new Leaf { Name = "x" }, null),
        new Variable<ILeaf?>(new Leaf { Name = "x" }, null), new Variable<int[][]?>([[1], []]), new Variable<List<List<long>>?>([[1], []]),
        new Variable<int[,]?>(new int[1, 2]), new Variable<Lazy<int>?>(new Lazy<int>(5)),
    ];

    public interface ILeaf;

    public enum Side : byte
    {
        Left,
        Right,
    }

    private interface IVariable
    {
        /// <summary>Writes a member with each of the values.</summary>
        IEnumerable<(object? Value, byte[] Payload)> Write(SerializerOptions options);

        /// <summary>Reads such a member as one of this variable's type, and alone.</summary>
        (Outcome Member, Outcome Part) Read(SerializerOptions options, byte[] payload);

        Type Type { get; }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_part_is_read_as_a_member_of_its_type_is(bool references)
    {
        SerializerOptions options = Options with { PreserveObjectReferences = references };
        var wrong = new List<string>();
        int read = 0;
        foreach (IVariable written in Variables)
        {
            (object? Value, byte[] Payload)[] payloads = [.. written.Write(options)];
            foreach (IVariable asked in Variables)
            {
                foreach ((object? value, byte[] payload) in payloads)
                {
                    (Outcome member, Outcome part) = asked.Read(options, payload);
                    read += part.Error is null ? 1 : 0;
                    if (part.DiffersFrom(member, value) is { } difference)
                    {
                        wrong.Add($"{written.Type} as {asked.Type}: {difference}");
                    }
                }
            }
        }

        Assert.True(wrong.Count == 0, $"{wrong.Count} differ:\n{string.Join('\n', wrong.Distinct().Take(100))}");
        Assert.True(read > 1000, $"Only {read} were read.");
    }

    /// <summary>What became of reading: a value or an error.</summary>
    private sealed record Outcome(object? Value, WireFormatError? Error)
    {
        public static Outcome Of(Func<object?> read)
        {
            try
            {
                return new(read(), null);
            }
            catch (WireFormatException e)
            {
                return new(null, e.Error);
            }
        }

        // Who asks for one value need not know how its variable was declared: what a variable of object holds is read as its own type,
        // where a member of that type is refused by the declaration alone.
        public string? DiffersFrom(Outcome member, object? written)
        {
            try
            {
                switch (Error, member.Error)
                {
                    case (null, null):
                        GraphAssert.Same(member.Value, Value);
                        return null;
                    case (null, WireFormatError.SchemaMismatch):
                        GraphAssert.Same(written, Value);
                        return null;
                    case (not null, WireFormatError.SchemaMismatch):
                        return null;
                    default:
                        return Error == member.Error ? null : $"{this}, and as a member {member}";
                }
            }
            catch (GraphDifferenceException e)
            {
                return e.Message;
            }
        }
    }

    private sealed class Variable<T>(T first, params T[]? others) : IVariable
    {
        // One other that is null is no array of them.
        private readonly T[] _values = [first, .. others ?? [default!]];

        private Serializer? _serializer;

        public Type Type => typeof(T);

        public IEnumerable<(object? Value, byte[] Payload)> Write(SerializerOptions options)
        {
            Serializer serializer = SerializerOf(options);
            return _values.Select(
                value => ((object?)value, serializer.Serialize(new Holder<T> { Before = "before", M = value })));
        }

        public (Outcome Member, Outcome Part) Read(SerializerOptions options, byte[] payload)
        {
            Serializer serializer = SerializerOf(options);
            return (Outcome.Of(() => serializer.Deserialize<Holder<T>>(payload)!.M), Outcome.Of(() => serializer.Read<T>(payload, "M")));
        }

        private Serializer SerializerOf(SerializerOptions options)
        {
            if (_serializer?.Options.PreserveObjectReferences != options.PreserveObjectReferences)
            {
                _serializer = new Serializer(options with { TypeAliases = TypeAliases.None.Alias<Holder<T>>("holder") });
            }

            return _serializer!;
        }
    }

    public sealed class Holder<T>
    {
        public string? Before { get; set; }

        public T? M { get; set; }
    }

    public struct Corner
    {
        public int X { get; set; }
    }

    public struct WideCorner
    {
        public long X { get; set; }
    }

    public sealed class Leaf : ILeaf
    {
        public string? Name { get; set; }
    }
}

using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Globalization;
using Wire.Tests.Behaviour;
using Xunit;

namespace Wire.Tests.Hostile;

/// <summary>
/// A key that comes twice is refused without a text being made of it, which for a long number or an expression takes any time.
/// </summary>
public class KeyTextTests
{
    /// <summary>A key that cannot be told.</summary>
    public sealed record Untold(int Number) : IComparable
    {
        public static int Told { get; private set; }

        public int CompareTo(object? obj) => Number.CompareTo(((Untold)obj!).Number);

        public override string ToString()
        {
            Told++;
            return Number.ToString(CultureInfo.InvariantCulture);
        }
    }

    public static TheoryData<string> Kinds => [.. Collections.Keys];

    private static Dictionary<string, object> Collections { get; } = new object[]
    {
        Hashtable(),
        new SortedList(Comparer<object>.Default) { { new Untold(1), 0 }, { new Untold(2), 0 } },
        Pairs().ToDictionary(),
        Pairs().ToImmutableDictionary(),
        Pairs().ToImmutableSortedDictionary(),
        Pairs().ToFrozenDictionary(),
        new SortedDictionary<Untold, int>(Pairs().ToDictionary()),
        new SortedList<Untold, int>(Pairs().ToDictionary()),
        new OrderedDictionary<Untold, int>(Pairs()),
        new ConcurrentDictionary<Untold, int>(Pairs()),
        new HashSet<Untold>(Pairs().Select(pair => pair.Key)),
        new SortedSet<Untold>(Pairs().Select(pair => pair.Key)),
        Pairs().Select(pair => pair.Key).ToImmutableHashSet(),
        Pairs().Select(pair => pair.Key).ToImmutableSortedSet(),
        Pairs().Select(pair => pair.Key).ToFrozenSet(),
        Pairs().ToLookup(pair => pair.Key, pair => pair.Value),
    }.ToDictionary(collection => collection.GetType().Name);

    [Theory]
    [MemberData(nameof(Kinds))]
    public void No_text_is_made_of_a_key_that_comes_twice(string kind)
    {
        object collection = Collections[kind];
        foreach (bool references in new[] { false, true })
        {
            Serializer serializer = Setup.Serializer(true, o => o with { PreserveObjectReferences = references });
            byte[] payload = serializer.Serialize(collection);
            int second = payload.AsSpan().LastIndexOf(new byte[] { 2, 0, 0, 0 });
            payload[second] = 1;
            int told = Untold.Told;
            var error = Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(payload));
            Assert.Equal(WireFormatError.InvalidValue, error.Error);
            Assert.Contains("twice", error.Message, StringComparison.Ordinal);
            Assert.Equal(told, Untold.Told);
        }
    }

    private static Hashtable Hashtable() => new() { { new Untold(1), 0 }, { new Untold(2), 0 } };

    private static IEnumerable<KeyValuePair<Untold, int>> Pairs() => [new(new(1), 0), new(new(2), 0)];
}

using System.Collections.Frozen;
using System.Globalization;
using Wire.Testing.Fuzzing;

using Wire.Tests.Testing;

namespace Wire.Tests.Hostile.Floods;

/// <summary>.NET hashes parts of the strings of a frozen collection without a secret while it makes the collection.</summary>
public sealed class FrozenTextTests
{
    private const int Many = 5_000;

    [Fact]
    public void Strings_whose_parts_collide_while_a_frozen_collection_is_made_are_refused()
    {
        AssertRefused(Lookalikes().ToFrozenSet(), texts => texts.ToHashSet(), 5);
        AssertRefused(
            Lookalikes().ToFrozenDictionary(text => text, _ => (byte)1), texts => texts.ToDictionary(text => text, _ => (byte)1), 6);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Strings_by_chance_are_frozen(bool ignoreCase)
    {
        StringComparer comparer = ignoreCase ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;
        var serializer = new Serializer(new SerializerOptions { Limits = Limits.Default with { MaxCollisions = 0 } });
        var random = new Random(6);
        foreach (int length in (int[])[1, 3, 8, 20])
        {
            foreach (int count in (int[])[64, 1000, 50_000])
            {
                FrozenSet<string> set = Enumerable.Range(0, count)
                    .Select(i => i.ToString(
                        "x" + random.Next(1, length + 1).ToString(CultureInfo.InvariantCulture),
                        CultureInfo.InvariantCulture) + (char)random.Next(32, 500))
                    .ToFrozenSet(comparer);
                Assert.True(set.SetEquals(serializer.CopyBothWays(set)));
            }
        }
    }

    [Fact]
    public void Names_that_differ_in_their_numbers_are_frozen()
    {
        var serializer = new Serializer(new SerializerOptions { Limits = Limits.Default with { MaxCollisions = 0 } });
        foreach (string format
            in (string[])["order-{0:D8}", "{0}", "{0:D3}@example.org", "the same beginning of all names, and of some length {0}"])
        {
            FrozenSet<string> set =
                Enumerable.Range(0, 30_000).Select(i => string.Format(CultureInfo.InvariantCulture, format, i)).ToFrozenSet();
            Assert.True(set.SetEquals(serializer.CopyBothWays(set)));
        }
    }

    // As many bytes as the crafted strings have, and nothing in common.
    private static IEnumerable<string> Lookalikes() =>
        Enumerable.Range(0, Many).Select(i => new string([(char)(0x1000 + (i / 100)), (char)(0x1000 + (i % 100))]));

    private static void AssertRefused<T>(T frozen, Func<string[], object> reference, int elementSize)
    {
        // Two characters whose hash code without a secret leaves the same remainder for all strings, and of which neither alone tells them
        // apart.
        uint size = (uint)FloodKinds.Chains(Many);
        const uint Seed = (5381 << 16) + 5381;
        var texts = new List<string>();
        for (int i = 0; texts.Count < Many; i++)
        {
            (char first, char second) = ((char)(0x3000 + (i >> 12)), (char)(0x1000 + (i & 0xFFF)));
            uint half = Next(Next(Seed, first), second);
            if ((Seed + (half * 1566083941)) % size == 5)
            {
                texts.Add(new string([first, second]));
            }
        }

        byte[] bytes = new Serializer().Serialize((object)frozen!);
        byte[] other = new Serializer().Serialize(reference([.. texts]));
        byte[] crafted = [.. bytes[..^(Many * elementSize)], .. other[^(Many * elementSize)..]];
        WireFormatException error = Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<object>(crafted));
        Assert.Equal(WireFormatError.Limit, error.Error);
        Assert.Contains(nameof(Limits.MaxCollisions), error.Message, StringComparison.Ordinal);
        var raised = new Serializer(new SerializerOptions { Limits = Limits.Default with { MaxCollisions = long.MaxValue } });
        Assert.IsAssignableFrom<T>(raised.Deserialize<object>(crafted));
        Assert.IsAssignableFrom<T>(new Serializer().Deserialize<object>(bytes));
    }

    private static uint Next(uint half, char next) => (uint.RotateLeft(half, 5) + half) ^ next;
}

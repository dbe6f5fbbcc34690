using Wire.Testing;

namespace Wire.Tests.Behaviour.Roads;

/// <summary>Errors behind a chunk of elements, and behind keys of several members, name the element that they are in.</summary>
public sealed class ElementPathTests
{
    private static readonly Serializer Serializer = new(new SerializerOptions { TypeFilter = Setup.TestTypes });

    [Theory]
    [InlineData(15)]
    [InlineData(16)]
    [InlineData(17)]
    [InlineData(32)]
    [InlineData(40)]
    public void The_key_of_a_pair_that_ends_too_early_is_at_its_own_index(int count)
    {
        var items = Enumerable.Range(0, count).ToDictionary(i => i, i => new OneText { Text = "t" });
        byte[] bytes = Serializer.Serialize(items);
        string expected = $"[{count - 1}]";
        for (int i = 0; i < 20; i++)
        {
            Assert.Equal(count, Serializer.Deserialize<Dictionary<int, OneText>>(bytes)!.Count);
        }

        // Of the last pair, of seven bytes, a part of the key is left.
        foreach (int left in (int[])[1, 2, 3])
        {
            byte[] cut = bytes[..^(7 - left)];
            Assert.Equal(expected, PathOf(() => Serializer.Deserialize<Dictionary<int, OneText>>(cut)));
            for (int piece = 1; piece < 8; piece++)
            {
                Assert.Equal(expected, PathOf(() => Serializer.Deserialize<Dictionary<int, OneText>>(Sequences.Chunked(cut, piece))));
            }
        }
    }

    [Fact]
    public void The_value_behind_a_key_of_several_members_is_at_its_own_index()
    {
        var items = Enumerable.Range(0, 5).ToDictionary(i => new Tight { B = i }, i => new OneText { Text = "t" });
        byte[] bytes = Serializer.Serialize(items);
        Assert.Equal("[4].Text", PathOf(() => Serializer.Deserialize<Dictionary<Tight, OneText>>(bytes[..^1])));
        Assert.Equal("[4].Text", PathOf(() => Serializer.Deserialize<Dictionary<Tight, OneText>>(Sequences.Chunked(bytes[..^1], 3))));
    }

    private static string PathOf(Func<object?> read) => Assert.Throws<WireFormatException>(read).MemberPath;
}

using Wire.Comparing;
using Xunit;

namespace Wire.Tests.Behaviour;

/// <summary>Types that both sides agreed on.</summary>
public class KnownTypeTests
{
    public static TheoryData<bool> Twins => [true, false];

    [Theory]
    [MemberData(nameof(Twins))]
    public void Known_types_are_short_allowed_and_independent_of_order(bool dynamicCode)
    {
        var writer = new Serializer(new SerializerOptions
        {
            DynamicCode = dynamicCode,
            KnownTypes = [new(1, typeof(Cat)), new(70_000, typeof(Leaf)), new(0, typeof(Box<int>))],
        });
        var reader = new Serializer(new SerializerOptions
        {
            DynamicCode = dynamicCode,
            KnownTypes = [new(0, typeof(Box<int>)), new(70_000, typeof(Leaf)), new(1, typeof(Cat))],
        });
        object[] values = [new Cat { Lives = 9 }, new Leaf { Id = 4 }, new Box<int> { Value = 5 }];
        byte[] payload = writer.Serialize(values);
        Assert.Equal(-1, payload.AsSpan().IndexOf("Leaf"u8));
        GraphAssert.Same(values, reader.Deserialize<object[]>(payload), sharing: true);
        Assert.True(payload.Length < new Serializer().Serialize(values).Length);
    }

    [Fact]
    public void An_unknown_identifier_is_a_clear_error()
    {
        byte[] payload = new Serializer(new SerializerOptions { KnownTypes = [new(12, typeof(Leaf))] }).Serialize(new Leaf());
        var error = Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<Leaf>(payload));
        Assert.Equal(WireFormatError.UnknownKnownType, error.Error);
        Assert.Contains("12", error.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(SerializerOptions.KnownTypes), error.Message, StringComparison.Ordinal);
        var other = new Serializer(new SerializerOptions { KnownTypes = [new(12, typeof(Cat))] });
        Assert.ThrowsAny<WireFormatException>(() => other.Deserialize<Leaf>(payload));
    }

    [Fact]
    public void Duplicates_and_identifiers_out_of_range_are_refused()
    {
        Assert.Throws<ArgumentException>(() => KnownTypes.Create([new(1, typeof(Leaf)), new(1, typeof(Cat))]));
        Assert.Throws<ArgumentException>(() => KnownTypes.Create([new(1, typeof(Leaf)), new(2, typeof(Leaf))]));
        Assert.Throws<ArgumentException>(() => KnownTypes.Create([new(-1, typeof(Leaf))]));
        Assert.Throws<ArgumentException>(() => KnownTypes.Create([new(int.MaxValue, typeof(Leaf))]));
        Assert.ThrowsAny<ArgumentException>(() => KnownTypes.Create([new(1, null!)]));
        Assert.Equal(typeof(Leaf), Assert.Single(KnownTypes.Create([new((1 << 30) - 1, typeof(Leaf))])).Value);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void The_largest_identifier_round_trips(bool dynamicCode)
    {
        var serializer =
            new Serializer(new SerializerOptions { DynamicCode = dynamicCode, KnownTypes = [new((1 << 30) - 1, typeof(Leaf))] });
        Assert.Equal(8, Assert.IsType<Leaf>(serializer.RoundTrip<object>(new Leaf { Id = 8 })).Id);
    }
}

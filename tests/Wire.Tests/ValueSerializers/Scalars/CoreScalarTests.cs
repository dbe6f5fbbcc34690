using System.Collections;
using System.Collections.Specialized;
using System.Text;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Scalars;

public sealed class IndexTests : ValueTests<Index>
{
    protected override IEnumerable<Index> Samples => [default, 1, ^1, ^0, int.MaxValue, ^int.MaxValue];
}

public sealed class RangeTests : ValueTests<Range>
{
    protected override IEnumerable<Range> Samples => [default, Range.All, 1..^1, ^3..int.MaxValue];
}

[TypeNotes("one that cannot be cancelled, or is cancelled; one that may still be is refused")]
public sealed class CancellationTokenTests : ValueTests<CancellationToken>
{
    protected override IEnumerable<CancellationToken> Samples => [default, new(canceled: true)];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_cancelled_token_comes_back_cancelled(bool dynamicCode)
    {
        var serializer = new Serializer(new SerializerOptions { DynamicCode = dynamicCode });
        using var source = new CancellationTokenSource();
        source.Cancel();
        for (int i = 0; i < 3; i++)
        {
            Assert.True(serializer.CopyBothWays(source.Token).IsCancellationRequested);
            Assert.True(((CancellationToken)serializer.Clone<object>(source.Token)).IsCancellationRequested);
            CancellationToken[] tokens = serializer.CopyBothWays(new[] { source.Token, default });
            Assert.Equal([true, false], tokens.Select(token => token.IsCancellationRequested));
            CancellationToken none = serializer.CopyBothWays(CancellationToken.None);
            Assert.False(none.IsCancellationRequested || none.CanBeCanceled);
            Assert.True(serializer.CopyBothWays(new Job { Token = source.Token }).Token.IsCancellationRequested);
        }
    }

    [Fact]
    public void A_token_that_may_still_be_cancelled_is_refused()
    {
        var serializer = new Serializer();
        using var source = new CancellationTokenSource();
        foreach (object value in new object[] { source.Token, new[] { source.Token }, new Job { Token = source.Token } })
        {
            var error = Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(value));
            Assert.Equal(typeof(CancellationToken), error.Type);
            Assert.Contains("[IgnoreMember]", error.Message, StringComparison.Ordinal);
            Assert.Contains("surrogate", error.Message, StringComparison.Ordinal);
            Assert.Throws<UnsupportedTypeException>(() => serializer.CopyBothWays(value));
        }

        var inside = Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(new Job { Token = source.Token }));
        Assert.Equal("Token", inside.MemberPath);
    }

    [Fact]
    public void Another_byte_is_no_token()
    {
        var serializer = new Serializer();
        byte[] bytes = serializer.Serialize(new CancellationToken(canceled: true));
        Assert.Equal(1, bytes[^1]);
        bytes[^1] = 2;
        var error = Assert.Throws<WireFormatException>(() => serializer.Deserialize<CancellationToken>(bytes));
        Assert.Equal(WireFormatError.InvalidValue, error.Error);
    }

    internal sealed class Job
    {
        public CancellationToken Token { get; set; }
    }
}

public sealed class BitVector32Tests : ValueTests<BitVector32>
{
    protected override IEnumerable<BitVector32> Samples => [default, new(1), new(-1), new(int.MinValue)];
}

public sealed class BitArrayTests : ValueTests<BitArray?>
{
    protected override IEnumerable<BitArray?> Samples =>
        [
            null,
            new(0),
            new(1),
            new(1, true),
            new(8, true),
            new([true, false, true, true, false, false, true, false, true]),
            new(1000, true),
            new([1, -1, 77]),
        ];

    [Fact]
    public void A_count_that_is_not_that_of_the_bytes_is_invalid()
    {
        byte[] bytes = new Serializer().Serialize(new BitArray(8, true));
        bytes[^4]++;
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<BitArray>(bytes)).Error);
    }
}

public sealed class StringBuilderTests : ValueTests<StringBuilder?>
{
    protected override IEnumerable<StringBuilder?> Samples =>
        [
            null,
            new(),
            new("text"),
            new("\u0416\uD800"),
            new(1, 1),
            new StringBuilder(3, 10).Append("0123456789"),
            new StringBuilder("a").Append('b', 10_000),
        ];

    [Fact]
    public void A_limit_makes_no_room()
    {
        StringBuilder read = new Serializer().CopyBothWays(new StringBuilder(16, int.MaxValue - 1));
        Assert.True(read.Capacity <= 16);
        Assert.Equal(int.MaxValue - 1, read.MaxCapacity);
    }
}

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

[TypeNotes("comes back as `CancellationToken.None`")]
public sealed class CancellationTokenTests : ValueTests<CancellationToken>
{
    protected override IEnumerable<CancellationToken> Samples => [default];

    [Fact]
    public void A_token_of_a_source_comes_back_as_none()
    {
        using var source = new CancellationTokenSource();
        Assert.Equal(CancellationToken.None, new Serializer().Clone(source.Token));
    }
}

public sealed class BitVector32Tests : ValueTests<BitVector32>
{
    protected override IEnumerable<BitVector32> Samples => [default, new(1), new(-1), new(int.MinValue)];
}

public sealed class BitArrayTests : ValueTests<BitArray?>
{
    protected override IEnumerable<BitArray?> Samples =>
        [null, new(0), new(1), new(1, true), new(8, true), new([true, false, true, true, false, false, true, false, true]), new(1000, true), new([1, -1, 77])];

    [Fact]
    public void A_count_that_is_not_that_of_the_bytes_is_invalid()
    {
        byte[] bytes = new Serializer().Serialize(new BitArray(8, true));
        bytes[^4]++;
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<BitArray>(bytes)).Error);
    }
}

public sealed class StringBuilderTests : ValueTests<StringBuilder?>
{
    protected override IEnumerable<StringBuilder?> Samples =>
        [null, new(), new("text"), new("\u0416\uD800"), new(1, 1), new StringBuilder(3, 10).Append("0123456789"), new StringBuilder("a").Append('b', 10_000)];

    [Fact]
    public void A_limit_makes_no_room()
    {
        StringBuilder read = new Serializer().Clone(new StringBuilder(16, int.MaxValue - 1));
        Assert.True(read.Capacity <= 16);
        Assert.Equal(int.MaxValue - 1, read.MaxCapacity);
    }
}

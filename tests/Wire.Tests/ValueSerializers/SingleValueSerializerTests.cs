using System.Reflection;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers;

public sealed class DBNullTests : ValueTests<DBNull?>
{
    protected override IEnumerable<DBNull?> Samples => [null, DBNull.Value];

    protected override void Same(DBNull? expected, DBNull? actual) => Assert.Same(expected, actual);
}

public sealed class MissingTests : ValueTests<Missing?>
{
    protected override IEnumerable<Missing?> Samples => [null, Missing.Value];

    protected override void Same(Missing? expected, Missing? actual) => Assert.Same(expected, actual);
}

public sealed class CancellationTokenTests : ValueTests<CancellationToken>
{
    protected override IEnumerable<CancellationToken> Samples => [CancellationToken.None, new(canceled: true)];
}

/// <summary>A token says whether it is cancelled; who may cancel it stays behind.</summary>
public sealed class CancellationTokenUseTests
{
    [Fact]
    public void A_token_of_a_source_comes_back_as_one_that_stays_as_it_is()
    {
        using var source = new CancellationTokenSource();
        Assert.Equal(CancellationToken.None, new Serializer().Clone(source.Token));
        source.Cancel();
        Assert.True(new Serializer().Clone(source.Token).IsCancellationRequested);
    }
}

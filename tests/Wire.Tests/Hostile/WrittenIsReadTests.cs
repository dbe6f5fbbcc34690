using Wire.Tests.Behaviour;
using Xunit;

namespace Wire.Tests.Hostile;

/// <summary>What readers refuse whatever their limits is refused on write, too.</summary>
public class WrittenIsReadTests
{
    private static readonly Serializer Wire = Setup.Serializer(true, o => o with { Limits = Limits.Default with { MaxDepth = 5000 } });

    [Fact]
    public void Inner_exceptions()
    {
        Exception read = Wire.RoundTrip(Nested(1000));
        int inner = 0;
        for (; read.InnerException is { } next; read = next)
        {
            inner++;
        }

        Assert.Equal(1000, inner);
        var error = Assert.Throws<UnsupportedTypeException>(() => Wire.Serialize(Nested(1001)));
        Assert.Contains("1000 nested inner exceptions", error.Message, StringComparison.Ordinal);
        Assert.Throws<UnsupportedTypeException>(() => Wire.Serialize<object>(new object[] { new AggregateException(Nested(1001)) }));
        Assert.Throws<UnsupportedTypeException>(() => Wire.Serialize(new FormatException("x", new AggregateException(Nested(999)))));
        Assert.IsType<FormatException>(Wire.RoundTrip<Exception>(new FormatException("x", new AggregateException(Nested(998)))));
    }

    private static Exception Nested(int inner)
    {
        Exception exception = new FormatException("x");
        for (int i = 0; i < inner; i++)
        {
            exception = new FormatException("x", exception);
        }

        return exception;
    }
}

using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.V091;

namespace Wire.Amqp.Tests.V091.Fields;

public sealed class TimestampTests
{
    [Fact]
    public void A_point_in_time_keeps_its_seconds() => Prop.ForAll<DateTimeOffset>(time =>
    {
        DateTimeOffset read = Timestamp.FromDateTimeOffset(time).ToDateTimeOffset();
        Assert.Equal(TimeSpan.Zero, read.Offset);
        Assert.InRange(time - read, TimeSpan.Zero, TimeSpan.FromSeconds(1) - TimeSpan.FromTicks(1));
    }).QuickCheckThrowOnFailure();

    [Theory]
    [InlineData(-62_135_596_800, "0001-01-01T00:00:00Z")]
    [InlineData(253_402_300_799, "9999-12-31T23:59:59Z")]
    [InlineData(-1, "1969-12-31T23:59:59Z")]
    public void The_first_and_the_last_are_there(long seconds, string text)
    {
        Assert.Equal(text, new Timestamp(seconds).ToString());
        Assert.Equal(seconds, Timestamp.FromDateTimeOffset(new Timestamp(seconds).ToDateTimeOffset()).Seconds);
    }

    [Theory]
    [InlineData(-62_135_596_801)]
    [InlineData(253_402_300_800)]
    [InlineData(long.MinValue)]
    [InlineData(long.MaxValue)]
    public void What_is_no_point_in_time_of_NET_can_be_read(long seconds)
    {
        FieldTable table = FieldTable.Create([new("t", new Timestamp(seconds))]);
        Assert.Equal(new Timestamp(seconds), table.ToDictionary()["t"]);
        Timestamp read = table["t"].AsTimestamp();
        Assert.Equal(seconds, read.Seconds);
        Assert.False(read.TryToDateTimeOffset(out _));
        Assert.Equal($"{seconds} s", read.ToString());
        Assert.Equal(AmqpFormatError.Value, Assert.Throws<AmqpFormatException>(() => read.ToDateTimeOffset()).Error);
    }
}

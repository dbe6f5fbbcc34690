using System.Globalization;
using Wire.Amqp.Client.Consuming;

namespace Wire.Amqp.Client.Tests.Consuming;

/// <summary>Where a consumer of a stream goes on, whatever the order in which its messages are settled.</summary>
public sealed class StreamPositionTests
{
    private static readonly TimeSpan Call = TimeSpan.FromSeconds(30);

    [Fact]
    public void It_goes_on_at_the_first_that_is_not_settled_and_passes_over_those_behind_it_that_are()
    {
        var position = new StreamPosition(null);
        object first = new(), second = new();
        Assert.Null(position.Begin(first, Call));
        for (long i = 7; i < 17; i++)
        {
            Assert.True(position.TryDeliver(first, i, false));
        }

        foreach (long settled in (long[])[7, 10, 9, 13, 12, 15, 15, 3])
        {
            position.Settle(settled);
        }

        Assert.Equal(8L, OffsetAfter(position, second));
        Assert.Equal([8, 11, 14, 16, 17], Enumerable.Range(8, 10).Where(offset => position.TryDeliver(second, offset, false)));

        // Of the owner before, what it is brought comes again; what it settles is settled.
        Assert.False(position.TryDeliver(first, 18, false));
        foreach (long settled in (long[])[8, 11, 16, 14])
        {
            position.Settle(settled);
        }

        Assert.Equal(17L, OffsetAfter(position, new object()));
    }

    [Fact]
    public void Any_order_of_settling_leaves_it_at_the_first_that_is_not()
    {
        const int Count = 40;
        var random = new Random(1);
        for (int round = 0; round < 200; round++)
        {
            var position = new StreamPosition(new Dictionary<string, object?> { ["x-stream-offset"] = "first", ["other"] = 1 });
            object owner = new();
            Assert.Equal("first", position.Begin(owner, Call)!["x-stream-offset"]);
            long[] offsets = [.. Enumerable.Range(0, Count).Select(i => (long)i).Where(i => i == 0 || random.Next(4) != 0)];
            Assert.All(offsets, offset => Assert.True(position.TryDeliver(owner, offset, false)));
            var open = new SortedSet<long>(offsets);
            foreach (long offset in offsets.OrderBy(_ => random.Next()).Take(random.Next(offsets.Length)))
            {
                position.Settle(offset);
                open.Remove(offset);
            }

            object next = new();
            IReadOnlyDictionary<string, object?> arguments = position.Begin(next, Call)!;
            Assert.Equal(open.Min, arguments["x-stream-offset"]);
            Assert.Equal(1, arguments["other"]);
            Assert.Equal(open, offsets.Where(offset => offset >= open.Min && position.TryDeliver(next, offset, false)));
        }
    }

    [Theory]
    [InlineData("next", 30)]
    [InlineData("last", 30)]
    [InlineData("90s", 120)]
    [InlineData("2m", 150)]
    [InlineData("1h", 3630)]
    [InlineData("1D", 86_430)]
    [InlineData("1M", 2_592_030)]
    [InlineData("1Y", 31_536_030)]
    public void Where_nothing_has_come_it_goes_on_with_all_since_its_start(string offset, long seconds)
    {
        var position = new StreamPosition(new Dictionary<string, object?> { ["x-stream-offset"] = offset });
        Assert.Equal(offset, position.Begin(new object(), Call)!["x-stream-offset"]);
        string again = Assert.IsType<string>(position.Begin(new object(), Call)!["x-stream-offset"]);
        Assert.EndsWith("s", again, StringComparison.Ordinal);
        Assert.InRange(long.Parse(again.AsSpan(0, again.Length - 1), CultureInfo.InvariantCulture), seconds, seconds + 60);
    }

    [Theory]
    [InlineData("first")]
    [InlineData(17)]
    [InlineData(17L)]
    public void What_stays_where_it_is_stays_as_it_is(object offset)
    {
        var position = new StreamPosition(new Dictionary<string, object?> { ["x-stream-offset"] = offset });
        position.Begin(new object(), Call);
        Assert.Equal(offset, position.Begin(new object(), Call)!["x-stream-offset"]);
    }

    [Theory]
    [InlineData("frist", "'frist'")]
    [InlineData("1x", "'1x'")]
    [InlineData("", "''")]
    [InlineData(1.5, "1.5")]
    [InlineData(true, "True")]
    [InlineData(null, "null")]
    public void What_the_broker_closes_the_connection_over_is_refused(object? offset, string shown)
    {
        var error = Assert.Throws<ArgumentException>(
            () => new StreamPosition(new Dictionary<string, object?> { ["x-stream-offset"] = offset }));
        Assert.Contains($"'x-stream-offset' of a consumer is {shown}, over which", error.Message, StringComparison.Ordinal);
        Assert.Contains("'1h'", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(null, false)]
    [InlineData(6L, true)]
    [InlineData(5L, false)]
    public void A_queue_that_is_no_stream_has_none_for_good(long? offset, bool isRedelivered)
    {
        var position = new StreamPosition(null);
        object owner = new();
        Assert.Null(position.Begin(owner, Call));
        Assert.True(position.TryDeliver(owner, 5, false));
        position.Settle(5);
        Assert.True(position.MayBeStream);
        Assert.True(position.TryDeliver(owner, offset, isRedelivered));
        Assert.False(position.MayBeStream);
        Assert.Null(position.Begin(new object(), Call));
    }

    [Fact]
    public void A_stream_that_is_gone_is_begun_anew_as_is_one_whose_arguments_the_broker_refuses()
    {
        var position = new StreamPosition(null);
        object owner = new();
        position.Begin(owner, Call);
        Assert.True(position.TryDeliver(owner, 5, false));
        position.Settle(5);
        Assert.Equal(6L, OffsetAfter(position, owner));
        position.Restart();
        position.Settle(7);
        Assert.IsType<string>(OffsetAfter(position, owner));
        Assert.True(position.TryDeliver(owner, 0, false));
        Assert.Equal(0L, OffsetAfter(position, owner));
        Assert.True(position.TryGiveUp());
        Assert.False(position.TryGiveUp());
        Assert.Null(position.Begin(owner, Call));
    }

    private static object? OffsetAfter(StreamPosition position, object owner) => position.Begin(owner, Call)!["x-stream-offset"];
}

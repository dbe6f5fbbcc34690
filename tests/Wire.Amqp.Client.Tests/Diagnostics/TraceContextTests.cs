using System.Diagnostics;
using Wire.Amqp.Client.Diagnostics;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Tests.Diagnostics;

/// <summary>What others write into the headers of a trace is read as far as it is one, and not handed on without bounds.</summary>
public sealed class TraceContextTests
{
    private const string Parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    [Fact]
    public void A_state_that_is_longer_than_it_may_be_is_left_out_and_the_trace_goes_on()
    {
        ActivityContext context = TraceContext.Extract(Headers("tracestate", $"vendor={new string('x', 120_000)}"));
        Assert.Equal("0af7651916cd43dd8448eb211c80319c", context.TraceId.ToHexString());
        Assert.Null(context.TraceState);
        Assert.Equal("vendor=1", TraceContext.Extract(Headers("tracestate", "vendor=1")).TraceState);
    }

    [Fact]
    public void Baggage_that_is_longer_than_it_may_be_is_not_handed_on()
    {
        using var activity = new Activity("process");
        activity.Start();
        TraceContext.ExtractBaggage(
            Headers("baggage", string.Join(',', Enumerable.Range(0, 8000).Select(i => $"key{i}=value{i}"))), activity);
        Assert.Empty(activity.Baggage);

        TraceContext.ExtractBaggage(Headers("baggage", "key=value"), activity);
        Assert.Equal("value", activity.GetBaggageItem("key"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("00")]
    [InlineData("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")]
    [InlineData("00-00000000000000000000000000000000-b7ad6b7169203331-01")]
    [InlineData("00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333\uFFFD-01")]
    public void Garbage_is_no_parent(string parent) => Assert.Equal(default, TraceContext.Extract(Table("traceparent", parent)));

    [Fact]
    public void Values_of_any_type_are_no_parent()
    {
        foreach (object? value in (object?[])
        [
            null,
            7,
            true,
            1.5m,
            new List<object?> { Parent },
            new Dictionary<string, object?> { ["traceparent"] = Parent },
            new byte[100_000],
        ])
        {
            Assert.Equal(default, TraceContext.Extract(
                FieldTable.Create(
                    new Dictionary<string, object?> { ["traceparent"] = value, ["tracestate"] = value, ["baggage"] = value })));
        }
    }

    private static FieldTable Headers(string name, string value) =>
        FieldTable.Create(new Dictionary<string, object?> { ["traceparent"] = Parent, [name] = value });

    private static FieldTable Table(string name, string value) => FieldTable.Create(new Dictionary<string, object?> { [name] = value });
}

using RabbitMQ.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Publishing;

/// <summary>
/// The header of a message is one frame: what does not fit into it fails by itself, where the broker would close the connection.
/// </summary>
public abstract class HeaderSizeTests(WireTransport transport) : PublisherTest(transport)
{
    [Fact]
    public async Task Headers_that_do_not_fit_into_a_frame_fail_by_themselves_and_the_connection_stays()
    {
        bool lost = false;
        Connection.Lost += () => lost = true;
        await using WirePublisher publisher = await WarmAsync(Small);
        int frame = Connection.FrameMax;

        ArgumentException error = await Assert.ThrowsAsync<ArgumentException>(() => OrderAsync(publisher, Queue, Headers(frame)).InTime());
        Assert.Contains($"{frame}", error.Message, StringComparison.Ordinal);
        await OrderAsync(publisher, Queue, Headers(frame - 1000)).InTime();

        await AssertCountAsync(1);
        Assert.False(lost);
    }

    [Fact]
    public async Task The_largest_header_that_is_accepted_is_one_that_the_broker_takes()
    {
        await using WirePublisher publisher = await WarmAsync(Small);
        int fits = 0, tooLarge = Connection.FrameMax;
        while (tooLarge - fits > 1)
        {
            int middle = (fits + tooLarge) / 2;
            try
            {
                await OrderAsync(publisher, Queue, Headers(middle)).InTime();
                fits = middle;
            }
            catch (ArgumentException)
            {
                tooLarge = middle;
            }
        }

        Assert.True(Connection.IsOpen);
        Assert.InRange(fits, Connection.FrameMax - 400, Connection.FrameMax);
    }

    private static PublishOptions Headers(int bytes) => new() { Headers = new Dictionary<string, object?> { ["long"] = new byte[bytes] } };
}

/// <inheritdoc/>
public sealed class HeaderSizeTestsOnClient() : HeaderSizeTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class HeaderSizeTestsOnLane() : HeaderSizeTests(WireTransport.DirectLane);

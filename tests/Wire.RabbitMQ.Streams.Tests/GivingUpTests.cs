using System.Collections.Concurrent;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>Who is refused on the way back gives up, and says by what.</summary>
public sealed class GivingUpTests
{
    private static RecoveryOptions Recovery { get; } = new()
    {
        FirstPause = TimeSpan.FromMilliseconds(5),
        LongestPause = TimeSpan.FromMilliseconds(20),
        MaxRefusals = 3,
    };

    [Fact]
    public async Task A_consumer_ends_with_the_refusal()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using StreamClient client = await StreamClient.ConnectAsync(server.Options with { Recovery = Recovery });
        await using StreamConsumer consumer = await client.ConsumeAsync("s", (StreamMessage _) => default);
        server.Always(CommandKey.SaslAuthenticate, Reaction.Refuse(StreamResponseCode.AuthenticationFailure));
        server.CutAll();
        Exception error = await Assert.ThrowsAnyAsync<Exception>(() => consumer.Completion.WaitAsync(Patience.Limit));
        Assert.Contains("name and password", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_producer_ends_with_the_refusal_and_so_does_what_waits()
    {
        ConcurrentQueue<StreamRecovery> told = [];
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using StreamClient client = await StreamClient.ConnectAsync(
            server.Options with { Recovery = Recovery with { ResendUnconfirmed = true }, OnRecovery = told.Enqueue });
        await using StreamProducer producer = await client.CreateProducerAsync("s");
        server.Always(CommandKey.SaslAuthenticate, Reaction.Refuse(StreamResponseCode.AuthenticationFailure));
        server.CutAll();
        await server.UntilAsync(() => !told.IsEmpty, "the interruption");
        Task sent = producer.SendAsync("message").AsTask();
        Exception error = await Assert.ThrowsAnyAsync<Exception>(() => sent.WaitAsync(Patience.Limit));
        Assert.Contains("name and password", error.ToString(), StringComparison.Ordinal);
    }
}

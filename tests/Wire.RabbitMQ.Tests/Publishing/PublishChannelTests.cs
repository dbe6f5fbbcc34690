using Microsoft.Extensions.Logging.Abstractions;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Publishing;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Publishing;

/// <summary>The channel of a publisher at its end: none is left open that was on its way.</summary>
public sealed class PublishChannelTests
{
    private readonly TaskCompletionSource<WireConnection> _connecting = new(TaskCreationOptions.RunContinuationsAsynchronously);

    [Fact]
    public async Task A_channel_that_comes_when_nobody_waits_for_it_any_more_is_closed_too()
    {
        PublishChannel channel = New();
        await using var opened = new FakeMessageChannel();
        using var patience = new CancellationTokenSource();
        Task published = PublishAsync(channel, patience.Token);
        await patience.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => published.InTime());

        Task disposed = channel.DisposeAsync().AsTask();
        _connecting.SetResult(new FakeConnection(opened));

        await disposed.InTime();
        Assert.True(opened.IsDisposed);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => PublishAsync(channel, default).InTime());
    }

    [Fact]
    public async Task What_waited_for_the_channel_before_goes_out()
    {
        PublishChannel channel = New();
        await using var opened = new FakeMessageChannel();
        Task published = PublishAsync(channel, default);
        Task disposed = channel.DisposeAsync().AsTask();
        Task late = PublishAsync(channel, default);
        _connecting.SetResult(new FakeConnection(opened));

        await published.InTime();
        await disposed.InTime();
        Assert.True(opened.IsDisposed);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => late.InTime());
    }

    private static Task PublishAsync(PublishChannel channel, CancellationToken cancellationToken)
    {
        var method = new BasicPublish { RoutingKey = "key" };
        var properties = default(BasicProperties);
        return channel.PublishAsync(in method, in properties, 1, null, cancellationToken).AsTask();
    }

    private PublishChannel New() => new(_ => _connecting.Task, new AmqpChannelOptions(), TimeSpan.FromSeconds(30), NullLogger.Instance);
}

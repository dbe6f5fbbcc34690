using System.Collections.Concurrent;
using Wire.Testing;

namespace Wire.RabbitMQ.Outbox.Tests.Testing;

/// <summary>A queue of a test's own, and what has come from it.</summary>
internal sealed class Received : IAsyncDisposable
{
    private readonly WireConnection _connection;
    private readonly WireConsumer _consumer;
    private readonly SemaphoreSlim _arrived = new(0);

    private Received(WireConnection connection, string queue)
    {
        _connection = connection;
        Queue = queue;
        _consumer = new WireConsumer(
            connection, Shop.Serializer, new WireConsumerOptions { Queue = queue, MaxConcurrency = 1, PrefetchCount = 100 });
        _consumer.Handle<ShopMessage>((message, context) =>
        {
            Messages.Enqueue(message);
            Contexts.Enqueue(new Properties(
                context.MessageId, context.ContentType, context.Type, context.CorrelationId, context.AppId, context.Priority,
                context.Persistent, context.Timestamp, context.Headers));
            _arrived.Release();
            return Task.CompletedTask;
        });
    }

    public string Queue { get; }

    public ConcurrentQueue<ShopMessage> Messages { get; } = [];

    public ConcurrentQueue<Properties> Contexts { get; } = [];

    public IEnumerable<int> Numbers => Messages.Select(message => message.Number);

    public static async Task<Received> FromAsync(WireConnection connection, string queue)
    {
        await connection.Topology.DeclareQueueAsync(queue).InTime();
        var received = new Received(connection, queue);
        await received._consumer.StartAsync().InTime();
        return received;
    }

    /// <summary>Waits until so many more have come.</summary>
    public async Task UntilAsync(int count)
    {
        for (int i = 0; i < count; i++)
        {
            Assert.True(await _arrived.WaitAsync(Patience.Limit), $"{Messages.Count} have come");
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _consumer.DisposeAsync();
        await _connection.Topology.DeleteQueueAsync(Queue).InTime();
        await _connection.Topology.DeleteQueueAsync($"{Queue}.error").InTime();
    }

    public sealed record Properties(
        string? MessageId, string? ContentType, string? Type, string? CorrelationId, string? AppId, byte? Priority, bool? Persistent,
        DateTimeOffset? Timestamp, IReadOnlyDictionary<string, object?> Headers);
}

using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Topology;

namespace Wire.RabbitMQ.Copies;

/// <summary>
/// Publishes copies of a consumer's messages to other queues, which it declares, on the connection for publishing. Thread-safe.
/// </summary>
internal sealed class CopyPublisher : IAsyncDisposable
{
    // After that time, the message is redelivered anyway.
    private static readonly TimeSpan RecoveryTimeout = TimeSpan.FromSeconds(5);

    // In an alarm the broker takes no messages: this one is then redelivered, and others are handled meanwhile.
    private static readonly TimeSpan PublishTimeout = TimeSpan.FromSeconds(30);

    // For so long a broker that is killed may forget a queue that it has made, with the messages in it.
    private static readonly TimeSpan Unsafe = TimeSpan.FromSeconds(2);

    // The queues that are there, and when those were made that were made here; 0 for others.
    private readonly ConcurrentDictionary<string, long> _declared = new();
    private readonly WireConnection _connection;
    private readonly PublishingConnection _publishing;
    private readonly WirePublisher _publisher;

    public CopyPublisher(WireConnection connection, PublishingConnection publishing, WireBodySerializer serializer, ILogger logger)
    {
        _connection = connection;
        _publishing = publishing;
        _publisher = new WirePublisher(
            publishing.GetAsync, serializer, new WirePublisherOptions { MaxChannels = 1, RecoveryTimeout = RecoveryTimeout }, logger);
    }

    /// <summary>Waits until a queue that was made here can be relied on.</summary>
    public Task WhenSafeAsync(string queue, CancellationToken cancellationToken) =>
        _declared.TryGetValue(queue, out long made) && made != 0 && Stopwatch.GetElapsedTime(made) is var age && age < Unsafe
            ? Task.Delay(Unsafe - age, cancellationToken)
            : Task.CompletedTask;

    /// <summary>Declares a queue, once.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="isWatched">True if <see cref="WhenSafeAsync"/> is asked about it.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="InvalidOperationException">The broker refuses.</exception>
    public async Task DeclareAsync(TopologyItem queue, bool isWatched, CancellationToken cancellationToken)
    {
        if (!_declared.ContainsKey(queue.Name))
        {
            bool isThere = !isWatched || await queue.IsThereAsync(_connection.Topology, cancellationToken).ConfigureAwait(false);
            await queue.DeclareAsync(_connection.Topology, cancellationToken).ConfigureAwait(false);

            // Of messages that come at the same time, one has made it, and the others have found it.
            long made = isThere ? 0 : Stopwatch.GetTimestamp();
            _declared.AddOrUpdate(queue.Name, made, (_, known) => Math.Max(known, made));
        }
    }

    /// <summary>Publishes a copy to a queue. Success means that it has arrived.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="declare">Declares the queue, where it has to be.</param>
    /// <param name="makeProperties">Makes the properties, for the largest frame of the connection.</param>
    /// <param name="body">The body, which stays as it is until this has ended.</param>
    /// <param name="cancellationToken">Ends the attempt, while it has not been published.</param>
    /// <exception cref="TimeoutException">The broker has not confirmed it.</exception>
    public async Task PublishAsync(
        string queue,
        Func<CancellationToken, Task> declare,
        Func<int, BasicProperties> makeProperties,
        ReadOnlySequence<byte> body,
        CancellationToken cancellationToken)
    {
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        timeout.CancelAfter(PublishTimeout);
        try
        {
            await declare(timeout.Token).ConfigureAwait(false);
            WireConnection publishing = await _publishing.GetAsync(timeout.Token).ConfigureAwait(false);
            BasicProperties properties = makeProperties(publishing.FrameMax);
            await _publisher.PublishBytesAsync("", queue, true, body, in properties, timeout.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (timeout.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            throw new TimeoutException(
                $"The broker has not confirmed it within {PublishTimeout.TotalSeconds:0} s; it may be low on memory.", e);
        }
        catch
        {
            // It may have been deleted: the next message finds out again.
            _declared.TryRemove(queue, out _);
            throw;
        }
    }

    /// <inheritdoc cref="CloseAsync"/>
    public ValueTask DisposeAsync() => _publisher.DisposeAsync();

    /// <summary>Publishes no more.</summary>
    /// <param name="cancellationToken">Ends the wait for the broker.</param>
    public Task CloseAsync(CancellationToken cancellationToken) => _publisher.CloseAsync(cancellationToken);
}

using System.Buffers;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace Wire.RabbitMQ.Connections;

/// <summary>
/// A channel, from its opening to its end: there is no way back. Whatever closes it, its owner disposes of it and opens another. All methods may
/// be called from any thread; what is sent arrives in the order of the calls.
/// </summary>
/// <remarks>
/// On a channel that is closed every method but <see cref="IAsyncDisposable.DisposeAsync"/> fails with an <see cref="AlreadyClosedException"/>;
/// when the broker closes it instead of answering, with an <see cref="OperationInterruptedException"/> that has its reason; when the connection is
/// lost meanwhile, with one of these or an <see cref="IOException"/>. To dispose of it takes it off the connection, and is not done from its events.
/// </remarks>
internal interface IBrokerChannel : IAsyncDisposable
{
    /// <summary>Whether it can be used.</summary>
    bool IsOpen { get; }

    /// <summary>Why it was closed; null while it is open.</summary>
    ShutdownEventArgs? CloseReason { get; }

    /// <summary>
    /// Says who is told what happens on it. Called once at most, before anything is published or consumed. Where it is closed already, that is told before
    /// this returns.
    /// </summary>
    void Listen(IBrokerChannelEvents events);

    /// <summary>Publishes an object, which is serialized where it is sent from.</summary>
    /// <remarks>
    /// Ends when the message has been handed to the connection, and where <see cref="IOutgoing.TryCommit"/> was false. What fails before
    /// <see cref="IOutgoing.TryCommit"/> is the message's own fault and harms no other: the serializer's exceptions, and an <see cref="ArgumentException"/>
    /// for properties that cannot be written or do not fit into a frame. A message that fails afterwards has not been sent, and its number not been used.
    /// While it waits for room it ends with the channel, which <see cref="IBrokerChannelEvents.Closed"/> has then been told.
    /// </remarks>
    /// <param name="outgoing">The message. Not looked at any more once it has been committed, as it may stand for another then.</param>
    /// <param name="properties">
    /// Its properties, complete but for the content encoding, which is set here. They stay as they are until the task has ended.
    /// </param>
    /// <param name="serializer">What writes the object.</param>
    /// <param name="message">The object; may be null.</param>
    /// <param name="cancellationToken">Ends the wait for room.</param>
    /// <exception cref="AlreadyClosedException">The channel is closed, and the message has not been sent: another one may take it.</exception>
    ValueTask PublishAsync<T>(IOutgoing outgoing, BasicProperties properties, WireBodySerializer serializer, T message, CancellationToken cancellationToken = default);

    /// <summary>The same with a body that is there already, and stays as it is until the task has ended; all of its properties are the caller's.</summary>
    ValueTask PublishBytesAsync(IOutgoing outgoing, BasicProperties properties, ReadOnlySequence<byte> body, CancellationToken cancellationToken = default);

    /// <summary>Has the broker deliver no more than a number of messages that it was not told of.</summary>
    Task LimitAsync(ushort prefetch, CancellationToken cancellationToken);

    /// <summary>Consumes a queue; once for each channel. What is delivered may be told before this ends.</summary>
    /// <returns>The tag of the consumer, as it was given or as the broker made it up.</returns>
    Task<string> ConsumeAsync(string queue, bool autoAck, string consumerTag, bool exclusive, IDictionary<string, object?>? arguments, CancellationToken cancellationToken);

    /// <summary>
    /// Ends the consumption. When the task ends, all that was delivered has been told, and nothing more will be; the channel still takes settlements. It ends
    /// as well when the broker has cancelled the consumer.
    /// </summary>
    Task CancelAsync(string consumerTag, CancellationToken cancellationToken);

    /// <summary>Tells the broker that a delivery is done, or all up to it.</summary>
    ValueTask AckAsync(ulong tag, bool multiple);

    /// <summary>Gives a delivery back to the queue, or to the dead-letter exchange.</summary>
    ValueTask RejectAsync(ulong tag, bool requeue);

    /// <summary>Declares a queue that is durable and has no arguments. The broker closes the channel where there is another of that name.</summary>
    Task DeclareQueueAsync(string queue, CancellationToken cancellationToken);

    /// <summary>Asks whether there is a queue. The broker closes the channel where there is none.</summary>
    Task FindQueueAsync(string queue, CancellationToken cancellationToken);
}

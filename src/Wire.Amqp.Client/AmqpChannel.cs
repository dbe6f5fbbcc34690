using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.Amqp.Bodies;
using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Diagnostics;
using Wire.Amqp.Client.Topology;
using Wire.Amqp.V091;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client;

/// <summary>
/// A channel of an <see cref="AmqpConnection"/>: publishes, consumes and declares. When the connection is lost and comes back, so does the
/// channel, with its consumers; when the broker closes the channel because of what was done on it, it has ended. Thread-safe: messages go
/// out in the order of the calls, and no frame comes between those of one message.
/// </summary>
public sealed class AmqpChannel : IAsyncDisposable
{
    private readonly RecoveringChannel _channel;
    private readonly AmqpBody _body;
    private readonly FrameWriting _writing;

    internal AmqpChannel(RecoveringChannel channel, AmqpConnection connection)
    {
        _channel = channel;
        Topology = new ChannelTopology(channel, connection.Topology);
        _body = channel.Options.Body ?? connection.Options.Body;
        _writing = connection.Options.Writing;
    }

    /// <summary>
    /// Gets what declares queues, exchanges and bindings on the channel, and brings them back with a lost connection. What the broker
    /// refuses ends the channel.
    /// </summary>
    public IAmqpTopology Topology { get; }

    /// <summary>
    /// Called for each message that was published with <see cref="BasicPublish.Mandatory"/> and came back because no queue is bound for it.
    /// On a channel with confirms its task fails as well. On the receive loop: it must not block, and the message is valid until it
    /// returns, or until it is disposed of where it has called <see cref="AmqpDelivery.Keep"/>.
    /// </summary>
    public event Action<AmqpDelivery>? Returned
    {
        add => _channel.Returned += value;
        remove => _channel.Returned -= value;
    }

    /// <summary>
    /// Called when the channel is lost and being recovered: with its connection, or, with <see cref="AmqpChannelOptions.Reopens"/>, since
    /// the broker has closed it. With the reason, on the thread pool, in order with the events of the connection.
    /// </summary>
    public event Action<Exception>? Lost
    {
        add => _channel.Lost += value;
        remove => _channel.Lost -= value;
    }

    /// <summary>
    /// Called once, when the channel has ended permanently: with the reason, or null where the program has closed it or its connection. On
    /// the thread pool, in order with the events of the connection. <see cref="Completion"/> says the same to later callers.
    /// </summary>
    public event Action<Exception?>? Closed
    {
        add => _channel.Closed += value;
        remove => _channel.Closed -= value;
    }

    /// <summary>
    /// Ends when the channel has ended permanently: successfully if the program has closed it or its connection; otherwise with the reason.
    /// An unobserved failure is not raised.
    /// </summary>
    public Task Completion => _channel.Completion;

    /// <summary>Gets the number of messages that wait or, with confirms, are not confirmed. A snapshot: it may be out of date.</summary>
    public int InFlight => _channel.Publisher.InFlight;

    /// <summary>
    /// Gets whether a message would be written at once, and not have to wait for a connection or for confirms. A snapshot as well.
    /// </summary>
    public bool HasRoom => _channel.Publisher.HasRoom;

    /// <summary>Gets whether it can be used: it is open, or the connection is being recovered.</summary>
    public bool IsOpen => _channel.IsOpen;

    /// <summary>Gets the channel that this one wraps.</summary>
    internal RecoveringChannel Engine => _channel;

    /// <summary>
    /// Closes the channel: what has been written before is sent, and then the broker's answer is awaited. Messages that still wait for
    /// room, or that it has not confirmed by then, fail; await their tasks first.
    /// </summary>
    public ValueTask DisposeAsync() => _channel.CloseAsync(CancellationToken.None);

    /// <summary>
    /// Takes no further messages, waits until those that were published are confirmed or have failed, and closes the channel.
    /// </summary>
    /// <param name="cancellationToken">
    /// Ends the wait: the channel is closed then without waiting for the broker, and what is not confirmed fails.
    /// </param>
    public async Task CloseAsync(CancellationToken cancellationToken = default)
    {
        await _channel.Publisher.EmptyAsync().WaitAsync(cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _channel.CloseAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Publishes an object to an exchange.</summary>
    /// <param name="exchange">The exchange; empty for the default one.</param>
    /// <param name="routingKey">The routing key; the name of a queue with the default exchange.</param>
    /// <param name="message">The object; may be null.</param>
    /// <param name="cancellationToken">
    /// Ends the task. A message that waits is not published then; one that has been written may still arrive.
    /// </param>
    /// <inheritdoc
    /// cref="PublishAsync{T}(in BasicPublish, in BasicProperties, T, FrameWriting?, IAmqpPublishObserver?, CancellationToken)"/>
    public ValueTask PublishAsync<T>(string exchange, string routingKey, T message, CancellationToken cancellationToken = default) =>
        PublishAsync(
            new BasicPublish { Exchange = exchange, RoutingKey = routingKey }, default, message, cancellationToken: cancellationToken);

    /// <summary>Publishes an object to an exchange.</summary>
    /// <param name="exchange">The exchange; empty for the default one.</param>
    /// <param name="routingKey">The routing key; the name of a queue with the default exchange.</param>
    /// <param name="message">The object; may be null.</param>
    /// <param name="properties">
    /// The properties of the message. Content type and type are filled in where they are absent, the content encoding always.
    /// </param>
    /// <param name="cancellationToken">
    /// Ends the task. A message that waits is not published then; one that has been written may still arrive.
    /// </param>
    /// <inheritdoc
    /// cref="PublishAsync{T}(in BasicPublish, in BasicProperties, T, FrameWriting?, IAmqpPublishObserver?, CancellationToken)"/>
    public ValueTask PublishAsync<T>(
        string exchange, string routingKey, T message, in BasicProperties properties, CancellationToken cancellationToken = default) =>
        PublishAsync(new BasicPublish { Exchange = exchange, RoutingKey = routingKey }, in properties, message,
            cancellationToken: cancellationToken);

    /// <summary>Publishes an object: it is serialized straight into the frames that are sent.</summary>
    /// <param name="method">
    /// The exchange and routing key. Texts that are given as bytes are not read any more after the task has ended.
    /// </param>
    /// <param name="properties">
    /// The properties of the message. Content type and type are filled in where they are absent, the content encoding always.
    /// </param>
    /// <param name="message">
    /// The object; may be null. Nearly always it is read before this returns; where the message has to wait, when its turn has come. So
    /// leave it as it is until the task has ended.
    /// </param>
    /// <param name="writing">The way of sending; the connection's <see cref="AmqpConnectionOptions.Writing"/> when left out.</param>
    /// <param name="observer">Notified when the message is written; none when left out.</param>
    /// <param name="cancellationToken">
    /// Ends the task. A message that waits is not published then; one that has been written may still arrive.
    /// </param>
    /// <returns>
    /// A task that ends, on a channel with confirms, when the broker has confirmed the message; without, when it has been written
    /// (background) or sent (inline). Await it once; AsTask() makes one for Task.WhenAll.
    /// </returns>
    /// <exception cref="ArgumentException">
    /// A text does not fit its field, or the properties do not fit a frame. Nothing was sent.
    /// </exception>
    /// <exception cref="AmqpPublishException">The message was returned or refused, or its arrival is unknown.</exception>
    /// <exception cref="AmqpChannelException">The broker has closed the channel before. Nothing was sent.</exception>
    /// <exception cref="AmqpConnectionException">
    /// The connection is lost. Nothing was sent, or, without confirms, it is not known what has arrived.
    /// </exception>
    /// <exception cref="ObjectDisposedException">
    /// The channel or the connection has been closed by the program. Nothing was sent.
    /// </exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectGraphException">The object refers to itself, is nested too deeply or is beyond another limit.</exception>
    /// <exception cref="UnsupportedTypeException">The object contains a value of a type that the serializer does not support.</exception>
    public ValueTask PublishAsync<T>(
        in BasicPublish method, in BasicProperties properties, T message, FrameWriting? writing = null,
        IAmqpPublishObserver? observer = null, CancellationToken cancellationToken = default) =>
        Publish(new ObjectContent<T>(_body, message), in method, in properties, writing, observer, cancellationToken);

    /// <summary>Publishes a body of bytes.</summary>
    /// <param name="method">The exchange and routing key.</param>
    /// <param name="properties">The properties of the message.</param>
    /// <param name="body">The body, which stays as it is until the task has ended.</param>
    /// <param name="writing">The way of sending; the connection's <see cref="AmqpConnectionOptions.Writing"/> when left out.</param>
    /// <param name="observer">Notified when the message is written; none when left out.</param>
    /// <param name="cancellationToken">Ends the task.</param>
    /// <inheritdoc
    /// cref="PublishAsync{T}(in BasicPublish, in BasicProperties, T, FrameWriting?, IAmqpPublishObserver?, CancellationToken)"/>
    public ValueTask PublishBytesAsync(
        in BasicPublish method, in BasicProperties properties, in ReadOnlySequence<byte> body, FrameWriting? writing = null,
        IAmqpPublishObserver? observer = null, CancellationToken cancellationToken = default) =>
        Publish(new BytesContent(body), in method, in properties, writing, observer, cancellationToken);

    /// <inheritdoc
    /// cref="PublishBytesAsync(in BasicPublish, in BasicProperties, in ReadOnlySequence{byte}, FrameWriting?, IAmqpPublishObserver?,
    /// CancellationToken)"/>
    public ValueTask PublishBytesAsync(
        in BasicPublish method, in BasicProperties properties, ReadOnlyMemory<byte> body, FrameWriting? writing = null,
        IAmqpPublishObserver? observer = null, CancellationToken cancellationToken = default) =>
        Publish(new BytesContent(new ReadOnlySequence<byte>(body)), in method, in properties, writing, observer, cancellationToken);

    /// <summary>Publishes a body that the caller writes straight into the frames that are sent.</summary>
    /// <param name="method">The exchange and routing key.</param>
    /// <param name="properties">The properties of the message.</param>
    /// <param name="state">The value that is passed to <paramref name="write"/>.</param>
    /// <param name="write">
    /// Writes the body, of which all is gathered before it is sent. It is called in the channel's turn: it must not wait, nor publish on
    /// the same channel.
    /// </param>
    /// <param name="writing">The way of sending; the connection's <see cref="AmqpConnectionOptions.Writing"/> when left out.</param>
    /// <param name="observer">Notified when the message is written; none when left out.</param>
    /// <param name="cancellationToken">Ends the task.</param>
    /// <inheritdoc
    /// cref="PublishAsync{T}(in BasicPublish, in BasicProperties, T, FrameWriting?, IAmqpPublishObserver?, CancellationToken)"/>
    public ValueTask PublishWrittenAsync<TState>(
        in BasicPublish method,
        in BasicProperties properties,
        TState state,
        Action<IBufferWriter<byte>, TState> write,
        FrameWriting? writing = null,
        IAmqpPublishObserver? observer = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(write);
        return Publish(new WrittenContent<TState>(write, state), in method, in properties, writing, observer, cancellationToken);
    }

    /// <summary>Consumes the messages of a queue.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="handler">
    /// Called with each message, in the order in which they come, on the loop that receives for the whole connection: it must not block.
    /// It may be asynchronous; then the next message may come before it has ended, as many as
    /// <see cref="AmqpChannelOptions.Prefetch"/> says. The message is valid until it has ended. With
    /// <see cref="AmqpConsumeOptions.Concurrency"/> from 1 on it is called beside that loop, so many times at once at most, and may block.
    /// </param>
    /// <param name="options">
    /// The options; by default messages are acknowledged when the handler has ended, and rejected when it throws.
    /// </param>
    /// <param name="cancellationToken">
    /// Ends the wait for the broker's answer: then there is no consumer, and messages that still come go back to the queue, unless it was
    /// to consume with <see cref="AmqpConsumeOptions.NoAck"/>: then the handler gets them, as they would be lost.
    /// </param>
    /// <returns>The consumer, which may have been called with messages by then.</returns>
    /// <exception cref="ArgumentException">
    /// There is a consumer with this tag on the channel, an argument is of a type that no field has, or <c>x-stream-offset</c> is none.
    /// </exception>
    /// <exception cref="ArgumentOutOfRangeException"><see cref="AmqpConsumeOptions.Concurrency"/> is negative.</exception>
    /// <exception cref="AmqpChannelException">
    /// There is no such queue (404), it belongs to another connection (405), is consumed exclusively or may not be read (403). The channel
    /// has ended.
    /// </exception>
    /// <exception cref="AmqpConnectionException">
    /// The connection was lost before the broker answered, or is lost permanently. While it recovers, the call waits.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The channel or the connection has been closed by the program.</exception>
    public async Task<AmqpConsumer> ConsumeAsync(
        string queue,
        Func<AmqpDelivery, ValueTask> handler,
        AmqpConsumeOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(queue);
        ArgumentNullException.ThrowIfNull(handler);
        options ??= AmqpConsumeOptions.Default;
        options.Validate();
        return await _channel.Consumers.ConsumeAsync(queue, handler, options, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Consumes the objects of a queue: each is read from the bytes that were received, by what the connection serializes with.
    /// </summary>
    /// <param name="queue">The queue.</param>
    /// <param name="handler">
    /// Called with each object and the message that it is of, as with the other overload. An object that cannot be read is a failure, as if
    /// the handler had thrown.
    /// </param>
    /// <param name="options">
    /// The options; by default messages are acknowledged when the handler has ended, and rejected when it throws.
    /// </param>
    /// <param name="cancellationToken">Ends the wait for the broker's answer: then there is no consumer.</param>
    /// <inheritdoc cref="ConsumeAsync(string, Func{AmqpDelivery, ValueTask}, AmqpConsumeOptions?, CancellationToken)"/>
    public Task<AmqpConsumer> ConsumeAsync<T>(
        string queue,
        Func<T?, AmqpDelivery, ValueTask> handler,
        AmqpConsumeOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return ConsumeAsync(queue, delivery => handler(delivery.Read<T>(), delivery), options, cancellationToken);
    }

    /// <summary>Fetches a message. Consuming is far faster.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="noAck">True if the broker considers it acknowledged when it sends it.</param>
    /// <param name="cancellationToken">
    /// Ends the wait; a message that still arrives returns to the queue, unless <paramref name="noAck"/> is set: then it is lost.
    /// </param>
    /// <returns>The message, which the caller disposes of; null when there is none.</returns>
    /// <exception cref="AmqpChannelException">
    /// There is no such queue (404), it belongs to another connection (405), or may not be read (403). The channel has ended.
    /// </exception>
    /// <exception cref="AmqpConnectionException">
    /// The connection was lost before the broker answered, or is lost permanently. While it recovers, the call waits.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The channel or the connection has been closed by the program.</exception>
    public async Task<AmqpDelivery?> GetAsync(string queue, bool noAck = false, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(queue);
        return await (_channel.Telemetry is { } telemetry && ChannelTelemetry.IsOfReceiving
            ? telemetry.GetAsync(_channel.Consumers, queue, noAck, cancellationToken)
            : _channel.Consumers.GetAsync(queue, noAck, cancellationToken)).ConfigureAwait(false);
    }

    /// <summary>
    /// Gives back all messages of the channel that are not settled: the broker delivers them again, to this or another consumer
    /// (basic.recover with requeue, the only one that RabbitMQ has). Those that handlers work on are given back too, and what is decided
    /// about them from then on is ignored. Not for streams, which take nothing back.
    /// </summary>
    /// <param name="cancellationToken">Ends the wait; they are given back all the same.</param>
    /// <exception cref="InvalidOperationException">
    /// Messages of a stream are among those that are not settled: the broker would close the connection.
    /// </exception>
    /// <exception cref="AmqpConnectionException">
    /// The connection was lost before the broker answered, or is lost permanently. While it recovers, the call waits.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The channel or the connection has been closed by the program.</exception>
    public async Task RecoverAsync(CancellationToken cancellationToken = default)
    {
        ChannelSession session = await _channel.SessionAsync(cancellationToken).ConfigureAwait(false);
        await session.RecoverAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Changes how many messages the broker sends ahead to each consumer that is started on the channel from now on; with <see
    /// cref="AmqpChannelOptions.SharesPrefetch"/>, where the broker has that, for all of them together and at once.
    /// </summary>
    /// <param name="count">How many; 0 for no limit.</param>
    /// <param name="cancellationToken">Ends the wait; it may be changed all the same.</param>
    /// <exception cref="AmqpConnectionException">
    /// The connection was lost before the broker answered, or is lost permanently. While it recovers, the call waits.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The channel or the connection has been closed by the program.</exception>
    public Task SetPrefetchAsync(ushort count, CancellationToken cancellationToken = default) =>
        _channel.Consumers.SetPrefetchAsync(count, cancellationToken);

    /// <summary>
    /// Acknowledges a message by its <see cref="AmqpDelivery.DeliveryTag"/>: for programs that keep tags instead of messages.
    /// </summary>
    /// <param name="deliveryTag">The tag; with <paramref name="multiple"/>, 0 for all.</param>
    /// <param name="multiple">
    /// Whether it holds for all messages up to this one that are not settled, whichever consumer of the channel has them,
    /// kept ones included.
    /// </param>
    /// <remarks>
    /// May be mixed with <see cref="AmqpDelivery.Ack"/> and with what happens when a handler has ended: the first decision for a message
    /// counts. Set <see cref="AmqpConsumeOptions.AcknowledgeWhenHandled"/> to false where a message is to be settled after its handler. The
    /// tag of a message that came before the connection was lost means nothing any more and is ignored: the broker has the message back.
    /// </remarks>
    /// <exception cref="InvalidOperationException">
    /// No message with this tag has come, it was acknowledged or rejected before, or it needs no acknowledgement.
    /// </exception>
    /// <exception cref="AmqpChannelException">The broker has closed the channel before.</exception>
    /// <exception cref="AmqpConnectionException">The connection is lost permanently.</exception>
    /// <exception cref="ObjectDisposedException">The channel or the connection has been closed by the program.</exception>
    public void Ack(ulong deliveryTag, bool multiple = false) => _channel.Consumers.Settle(deliveryTag, multiple, Settlement.Ack);

    /// <summary>Rejects a message by its <see cref="AmqpDelivery.DeliveryTag"/>.</summary>
    /// <param name="deliveryTag">The tag; with <paramref name="multiple"/>, 0 for all.</param>
    /// <param name="multiple">True if it holds for all messages up to this one that are not settled.</param>
    /// <param name="requeue">True if it goes back to the queue; otherwise to the dead-letter exchange, if the queue has one.</param>
    /// <inheritdoc cref="Ack"/>
    public void Nack(ulong deliveryTag, bool multiple, bool requeue) =>
        _channel.Consumers.Settle(deliveryTag, multiple, requeue ? Settlement.Requeue : Settlement.Reject);

    /// <summary>Rejects a message by its <see cref="AmqpDelivery.DeliveryTag"/>.</summary>
    /// <param name="deliveryTag">The tag.</param>
    /// <param name="requeue">True if it goes back to the queue; otherwise to the dead-letter exchange, if the queue has one.</param>
    /// <inheritdoc cref="Ack"/>
    public void Reject(ulong deliveryTag, bool requeue) => Nack(deliveryTag, multiple: false, requeue);

    // With a span and numbers while someone listens.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ValueTask Publish<TContent>(
        in TContent content, in BasicPublish method, in BasicProperties properties, FrameWriting? writing, IAmqpPublishObserver? observer,
        CancellationToken cancellationToken)
        where TContent : struct, IContent => _channel.Telemetry is { } telemetry && ChannelTelemetry.IsOfSending
            ? telemetry.Publish(
                _channel.Publisher, in content, in method, in properties, writing ?? _writing, observer, cancellationToken)
            : _channel.Publisher.Publish(in content, in method, in properties, writing ?? _writing, observer, cancellationToken);
}

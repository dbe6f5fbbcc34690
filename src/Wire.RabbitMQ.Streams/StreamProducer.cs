using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams.Producing;

namespace Wire.RabbitMQ.Streams;

/// <summary>
/// Sends messages to a stream. They are written directly into frames; messages that arrive during a send go with the next one. Thread-safe:
/// messages are stored in the order in which the calls are made. Made by <see cref="StreamClient.CreateProducerAsync"/>.
/// </summary>
/// <remarks>
/// After a lost connection, a moved stream, or one that was deleted and created again, the producer recovers as
/// <see cref="StreamClientOptions.Recovery"/> says; sends wait meanwhile, and <see cref="Interruption"/> says why. With a name, unconfirmed
/// messages are sent again in order, and the broker skips those it has. Without one, unconfirmed messages fail, or are sent again with
/// <see cref="Wire.Transport.RecoveryOptions.ResendUnconfirmed"/>.
/// </remarks>
public sealed class StreamProducer : IAsyncDisposable
{
    private readonly ProducerLinks _links;
    private readonly Publisher _publisher;
    private readonly Serializer _serializer;
    private readonly AmqpBody _body;

    internal StreamProducer(StreamClient client, string stream, StreamProducerOptions options)
    {
        Stream = stream;
        Options = options;
        _links = new ProducerLinks(client, stream, options);
        _publisher = _links.Publisher;
        _serializer = client.Options.Serializer;
        _body = new AmqpBody(_serializer);
    }

    /// <summary>The name of the stream.</summary>
    public string Stream { get; }

    /// <summary>Gets its options.</summary>
    public StreamProducerOptions Options { get; }

    /// <summary>
    /// The publishing id of the last written message; at the beginning the broker's last one for the producer's name, from which a program
    /// continues; 0 if there is none.
    /// </summary>
    public ulong LastPublishingId => _publisher.LastId;

    /// <summary>Gets the number of messages that have been written and are not confirmed.</summary>
    public int Unconfirmed => _publisher.Unconfirmed;

    /// <summary>
    /// Gets the last error while it is reconnecting and sends wait, or the reason of its end. Null while it is connected. A program can
    /// show it, or decide to give up.
    /// </summary>
    public Exception? Interruption => _links.Interruption;

    /// <summary>Gets whether it has ended for good, because it was closed or has given up: <see cref="Interruption"/> says why.</summary>
    public bool HasEnded => _publisher.Reason is not null;

    /// <summary>Ends when it has recovered, or has given up.</summary>
    internal Task Recovering => _links.Recovering;

    /// <summary>
    /// Sends an object, as <see cref="StreamProducerOptions.Format"/> says, and waits until the broker has confirmed it. Many may be
    /// pending at once, which makes it fast. The task is awaited once.
    /// </summary>
    /// <param name="value">
    /// The object; may be null. An array of bytes is one too: <see cref="SendBytesAsync"/> sends it as it is. It is serialized before this
    /// returns, or later if there is no room at once.
    /// </param>
    /// <param name="options">Further properties of the message.</param>
    /// <param name="cancellationToken">Ends the wait. What has been written by then is sent all the same.</param>
    /// <exception cref="StreamPublishException">
    /// The broker has refused it, its arrival is unknown, or more messages wait than
    /// <see cref="StreamProducerOptions.MaxWaiting"/>: the exception says which.
    /// </exception>
    /// <exception cref="ArgumentException">
    /// It does not fit a frame, the publishing id does not ascend, the filter value is too long; or it cannot be serialized: then it is one
    /// of the serializer's exceptions. Nothing has been sent.
    /// </exception>
    /// <exception cref="NotSupportedException">The broker does not know filter values.</exception>
    /// <exception cref="InvalidOperationException">It is called by what serializes another message of this producer.</exception>
    /// <exception cref="ObjectDisposedException">The producer is being closed, or has been.</exception>
    /// <exception cref="OperationCanceledException">The token has fired.</exception>
    public ValueTask SendAsync<T>(T value, in StreamSendOptions options = default, CancellationToken cancellationToken = default) =>
        Options.Format == StreamFormat.Amqp
        ? _publisher.Send(new DataContent<T>(_serializer, value), in options, cancellationToken)
        : _publisher.Send(new WireContent<T>(_serializer, value), in options, cancellationToken);

    /// <summary>Sends an object as an AMQP 1.0 message with properties, and waits until the broker has confirmed it.</summary>
    /// <param name="value">The object; may be null.</param>
    /// <param name="properties">
    /// Its properties. Content type and subject are filled in if absent, the content encoding always.
    /// </param>
    /// <param name="applicationProperties">The application properties; those without any are not written.</param>
    /// <param name="options">Further properties of the message.</param>
    /// <param name="cancellationToken">Ends the wait. What has been written by then is sent all the same.</param>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask SendMessageAsync<T>(
        T value, in Properties properties, in ApplicationProperties applicationProperties =
            default, in StreamSendOptions options = default, CancellationToken cancellationToken = default) =>
        _publisher.Send(new MessageContent<T>(_body, value, in properties, in applicationProperties), in options, cancellationToken);

    /// <summary>Sends bytes as they are, and waits until the broker has confirmed them.</summary>
    /// <param name="bytes">The whole message, which stays as it is until the task has ended.</param>
    /// <param name="options">Further properties of the message.</param>
    /// <param name="cancellationToken">Ends the wait. What has been written by then is sent all the same.</param>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask SendBytesAsync(
        ReadOnlyMemory<byte> bytes, in StreamSendOptions options = default, CancellationToken cancellationToken = default) =>
        _publisher.Send(new RawContent(bytes), in options, cancellationToken);

    /// <summary>
    /// Sends what a callback writes, such as the sections of an AMQP 1.0 message with <see cref="MessageWriter"/>, and waits until the
    /// broker has confirmed it.
    /// </summary>
    /// <param name="state">The callback's argument.</param>
    /// <param name="write">
    /// Writes the message; called once, under the lock of the producer. Its output is undone if it throws.
    /// </param>
    /// <param name="options">Further properties of the message.</param>
    /// <param name="cancellationToken">Ends the wait. What has been written by then is sent all the same.</param>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask SendWrittenAsync<TState>(
        TState state,
        Action<IBufferWriter<byte>, TState> write,
        in StreamSendOptions options = default,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(write);
        return _publisher.Send(new CallbackContent<TState>(state, write), in options, cancellationToken);
    }

    /// <summary>
    /// Sends an object, as <see cref="StreamProducerOptions.Format"/> says, and waits only until there is room for it. Its result is
    /// reported to <see cref="StreamProducerOptions.Confirmed"/>; without that, <see cref="FlushAsync"/> and <see cref="CloseAsync"/>
    /// report lost messages.
    /// </summary>
    /// <param name="value">
    /// The object; may be null. It is serialized before this returns, or later if there is no room at once.
    /// </param>
    /// <param name="options">Further properties of the message.</param>
    /// <param name="cancellationToken">Ends the wait for room; nothing is sent then.</param>
    /// <returns>Its publishing id.</returns>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask<ulong> EnqueueAsync<T>(
        T value,
        in StreamSendOptions options = default,
        CancellationToken cancellationToken = default) => Options.Format == StreamFormat.Amqp
        ? _publisher.Enqueue(new DataContent<T>(_serializer, value), in options, cancellationToken)
        : _publisher.Enqueue(new WireContent<T>(_serializer, value), in options, cancellationToken);

    /// <summary>
    /// Sends an object as an AMQP 1.0 message with properties, and waits only until there is room for it, as <see cref="EnqueueAsync"/>.
    /// </summary>
    /// <returns>Its publishing id.</returns>
    /// <inheritdoc cref="SendMessageAsync"/>
    public ValueTask<ulong> EnqueueMessageAsync<T>(
        T value, in Properties properties, in ApplicationProperties applicationProperties =
            default, in StreamSendOptions options = default, CancellationToken cancellationToken = default) =>
        _publisher.Enqueue(new MessageContent<T>(_body, value, in properties, in applicationProperties), in options, cancellationToken);

    /// <summary>Sends bytes as they are, and waits only until there is room for them, as <see cref="EnqueueAsync"/>.</summary>
    /// <returns>Its publishing id.</returns>
    /// <inheritdoc cref="SendBytesAsync"/>
    public ValueTask<ulong> EnqueueBytesAsync(
        ReadOnlyMemory<byte> bytes, in StreamSendOptions options = default, CancellationToken cancellationToken = default) =>
        _publisher.Enqueue(new RawContent(bytes), in options, cancellationToken);

    /// <summary>Sends what a callback writes, and waits only until there is room for it, as <see cref="EnqueueAsync"/>.</summary>
    /// <returns>Its publishing id.</returns>
    /// <inheritdoc cref="SendWrittenAsync"/>
    public ValueTask<ulong> EnqueueWrittenAsync<TState>(
        TState state,
        Action<IBufferWriter<byte>, TState> write,
        in StreamSendOptions options = default,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(write);
        return _publisher.Enqueue(new CallbackContent<TState>(state, write), in options, cancellationToken);
    }

    /// <summary>Waits until the broker has answered all messages that were sent before, whether they wait for room or not.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="StreamPublishException">
    /// Messages without an awaiting caller have been lost since the last flush: the exception is about the first, and says how many there
    /// are.
    /// </exception>
    /// <exception cref="OperationCanceledException">The token has fired.</exception>
    public async Task FlushAsync(CancellationToken cancellationToken = default)
    {
        await _publisher.Flush().WaitAsync(cancellationToken).ConfigureAwait(false);
        _publisher.Outcomes.ThrowUntold();
    }

    /// <summary>
    /// Closes the producer: sends that wait for room fail, and written messages are sent and their confirms awaited. Including the broker's
    /// answer to the end of the producer, that takes <see cref="StreamClientOptions.Timeout"/> at most; messages unconfirmed by then fail,
    /// and a connection on which nothing can be sent is ended. If the stream was deleted, or may no longer be used, all messages fail at
    /// once. When it ends, <see cref="StreamProducerOptions.Confirmed"/> has been called with all results, unless that itself takes longer
    /// than the time-out. Calling it again waits for the same.
    /// </summary>
    /// <param name="cancellationToken">Ends the wait as the time-out does: what is not confirmed fails, and the producer is closed.</param>
    /// <exception cref="StreamPublishException">
    /// Messages without an awaiting caller have been lost since the last flush: the exception is about the first, and says how many there
    /// are.
    /// </exception>
    public Task CloseAsync(CancellationToken cancellationToken = default) => _links.CloseAsync(cancellationToken);

    /// <inheritdoc cref="CloseAsync"/>
    public async ValueTask DisposeAsync() => await CloseAsync().ConfigureAwait(false);

    /// <summary>Connects for the first time.</summary>
    internal Task ConnectAsync(CancellationToken cancellationToken) => _links.ConnectAsync(isFirst: true, cancellationToken);
}

using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams.Producing;

namespace Wire.RabbitMQ.Streams;

/// <summary>
/// Sends messages to a stream. They are written straight into the frames that are sent; what comes while a frame is being sent goes
/// together with the next. Thread-safe: messages are stored in the order in which the calls are made. Made by <see
/// cref="StreamClient.CreateProducerAsync"/>.
/// </summary>
/// <remarks>
/// When the connection is lost, the stream moves, or is deleted and made again, the producer finds its way back as
/// <see cref="StreamClientOptions.Recovery"/> says; sends wait meanwhile, and <see cref="Interruption"/> says why. With a name, what was
/// not confirmed is sent again in its order, and the broker leaves out what it has. Without one, what was sent and not confirmed fails, or
/// is sent again with <see cref="Wire.Transport.RecoveryOptions.ResendUnconfirmed"/>.
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
    /// The publishing id of the message that was written last; at the beginning what the broker has under the producer's name, where a
    /// program continues from; 0 where there is none.
    /// </summary>
    public ulong LastPublishingId => _publisher.LastId;

    /// <summary>Gets the number of messages that have been written and are not confirmed.</summary>
    public int Unconfirmed => _publisher.Unconfirmed;

    /// <summary>
    /// Gets the reason why it has no connection at the moment and looks for one, so that sends wait: what went wrong last. When it has
    /// ended, why. Null as long as all is well. A program can show it, or give up by it.
    /// </summary>
    public Exception? Interruption => _links.Interruption;

    /// <summary>Ends when it has found its way back, or does not look for it any more.</summary>
    internal Task Recovering => _links.Recovering;

    /// <summary>
    /// Sends an object, as <see cref="StreamProducerOptions.Format"/> says, and waits until the broker has confirmed it. Many may be under
    /// way at once: that is what makes it fast. The task is awaited once.
    /// </summary>
    /// <param name="value">
    /// The object; may be null. An array of bytes is one too: <see cref="SendBytesAsync"/> sends it as it is. It is serialized before this
    /// returns, or while the task is under way where there is no room at once.
    /// </param>
    /// <param name="options">Further properties of the message.</param>
    /// <param name="cancellationToken">Ends the wait. What has been written by then is sent all the same.</param>
    /// <exception cref="StreamPublishException">
    /// The broker has refused it, it is not known whether the broker has it, or more wait than
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
    /// Its properties. Content type and subject are filled in where they are absent, the content encoding always.
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
    /// <param name="state">What the callback is given.</param>
    /// <param name="write">
    /// Writes the message; called once, under the lock of the producer. What it has written is taken back where it throws.
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
    /// reported to <see cref="StreamProducerOptions.Confirmed"/>; without that, <see cref="FlushAsync"/> and <see cref="CloseAsync"/> say
    /// when something was lost.
    /// </summary>
    /// <param name="value">
    /// The object; may be null. It is serialized before this returns, or while the task is under way where there is no room at once.
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
    /// Closes the producer: sends that wait for room fail, and what has been written is sent and waited for. With the broker's answer to
    /// the end of the producer that takes <see cref="StreamClientOptions.Timeout"/> at most; what is not confirmed by then fails, and a
    /// connection on which nothing can be sent is ended. Where the stream is gone, or may not be used any more, all fails at once. When it
    /// ends, <see cref="StreamProducerOptions.Confirmed"/> has been called with all results, unless that itself takes longer than the
    /// time-out. Calling it again waits for the same.
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

using System.Buffers;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams.Producing;

namespace Wire.RabbitMQ.Streams;

/// <summary>What can be sent, in two ways.</summary>
public sealed partial class StreamProducer
{
    /// <summary>
    /// Sends an object, as <see cref="StreamProducerOptions.Format"/> says, and waits until the broker has confirmed it. Many may be under way at once: that is what makes
    /// it fast. The task is awaited once.
    /// </summary>
    /// <param name="value">
    /// The object; may be null. An array of bytes is one too: <see cref="SendBytesAsync"/> sends it as it is. It is serialized before this returns, or while the
    /// task is under way where there is no room at once.
    /// </param>
    /// <param name="options">What can be said of the message beside.</param>
    /// <param name="cancellationToken">Ends the wait. What has been written by then is sent all the same.</param>
    /// <exception cref="StreamPublishException">The broker has refused it, or it is not known whether the broker has it: the exception says which.</exception>
    /// <exception cref="ArgumentException">
    /// It does not fit a frame, the publishing id does not ascend, the filter value is too long; or it cannot be serialized: then it is one of the serializer's
    /// exceptions. Nothing has been sent.
    /// </exception>
    /// <exception cref="NotSupportedException">The broker does not know filter values.</exception>
    /// <exception cref="InvalidOperationException">It is called by what serializes another message of this producer.</exception>
    /// <exception cref="ObjectDisposedException">The producer is being closed, or has been.</exception>
    /// <exception cref="OperationCanceledException">The token has fired.</exception>
    public ValueTask SendAsync<T>(T value, in StreamSendOptions options = default, CancellationToken cancellationToken = default) => Options.Format == StreamFormat.Amqp
        ? Send(new DataContent<T>(_client.Options.Serializer, value), in options, cancellationToken)
        : Send(new WireContent<T>(_client.Options.Serializer, value), in options, cancellationToken);

    /// <summary>Sends an object as an AMQP 1.0 message with properties, and waits until the broker has confirmed it.</summary>
    /// <param name="value">The object; may be null.</param>
    /// <param name="properties">Its properties. Content type and subject are filled in where they are absent, the content encoding always.</param>
    /// <param name="applicationProperties">The application properties; those without any are not written.</param>
    /// <param name="options">What can be said of the message beside.</param>
    /// <param name="cancellationToken">Ends the wait. What has been written by then is sent all the same.</param>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask SendMessageAsync<T>(
        T value, in Properties properties, in ApplicationProperties applicationProperties = default, in StreamSendOptions options = default, CancellationToken cancellationToken = default) =>
        Send(new MessageContent<T>(_body, value, in properties, in applicationProperties), in options, cancellationToken);

    /// <summary>Sends bytes as they are, and waits until the broker has confirmed them.</summary>
    /// <param name="bytes">The whole message, which stays as it is until the task has ended.</param>
    /// <param name="options">What can be said of the message beside.</param>
    /// <param name="cancellationToken">Ends the wait. What has been written by then is sent all the same.</param>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask SendBytesAsync(ReadOnlyMemory<byte> bytes, in StreamSendOptions options = default, CancellationToken cancellationToken = default) =>
        Send(new BytesContent(bytes), in options, cancellationToken);

    /// <summary>Sends what a callback writes, such as the sections of an AMQP 1.0 message with <see cref="MessageWriter"/>, and waits until the broker has confirmed it.</summary>
    /// <param name="state">What the callback is given.</param>
    /// <param name="write">Writes the message; called once, under the lock of the producer. What it has written is taken back where it throws.</param>
    /// <param name="options">What can be said of the message beside.</param>
    /// <param name="cancellationToken">Ends the wait. What has been written by then is sent all the same.</param>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask SendWrittenAsync<TState>(TState state, Action<IBufferWriter<byte>, TState> write, in StreamSendOptions options = default, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(write);
        return Send(new WrittenContent<TState>(state, write), in options, cancellationToken);
    }

    /// <summary>
    /// Sends an object, as <see cref="StreamProducerOptions.Format"/> says, and waits only until there is room for it. What becomes of it is told to
    /// <see cref="StreamProducerOptions.Confirmed"/>; without that, <see cref="FlushAsync"/> and <see cref="CloseAsync"/> say when something was lost.
    /// </summary>
    /// <param name="value">The object; may be null. It is serialized before this returns, or while the task is under way where there is no room at once.</param>
    /// <param name="options">What can be said of the message beside.</param>
    /// <param name="cancellationToken">Ends the wait for room; nothing is sent then.</param>
    /// <returns>Its publishing id.</returns>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask<ulong> EnqueueAsync<T>(T value, in StreamSendOptions options = default, CancellationToken cancellationToken = default) => Options.Format == StreamFormat.Amqp
        ? Enqueue(new DataContent<T>(_client.Options.Serializer, value), in options, cancellationToken)
        : Enqueue(new WireContent<T>(_client.Options.Serializer, value), in options, cancellationToken);

    /// <summary>Sends an object as an AMQP 1.0 message with properties, and waits only until there is room for it, as <see cref="EnqueueAsync"/>.</summary>
    /// <param name="value">The object; may be null.</param>
    /// <param name="properties">Its properties. Content type and subject are filled in where they are absent, the content encoding always.</param>
    /// <param name="applicationProperties">The application properties; those without any are not written.</param>
    /// <param name="options">What can be said of the message beside.</param>
    /// <param name="cancellationToken">Ends the wait for room; nothing is sent then.</param>
    /// <returns>Its publishing id.</returns>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask<ulong> EnqueueMessageAsync<T>(
        T value, in Properties properties, in ApplicationProperties applicationProperties = default, in StreamSendOptions options = default, CancellationToken cancellationToken = default) =>
        Enqueue(new MessageContent<T>(_body, value, in properties, in applicationProperties), in options, cancellationToken);

    /// <summary>Sends bytes as they are, and waits only until there is room for them, as <see cref="EnqueueAsync"/>.</summary>
    /// <param name="bytes">The whole message, which stays as it is until the task has ended.</param>
    /// <param name="options">What can be said of the message beside.</param>
    /// <param name="cancellationToken">Ends the wait for room; nothing is sent then.</param>
    /// <returns>Its publishing id.</returns>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask<ulong> EnqueueBytesAsync(ReadOnlyMemory<byte> bytes, in StreamSendOptions options = default, CancellationToken cancellationToken = default) =>
        Enqueue(new BytesContent(bytes), in options, cancellationToken);

    /// <summary>Sends what a callback writes, and waits only until there is room for it, as <see cref="EnqueueAsync"/>.</summary>
    /// <param name="state">What the callback is given.</param>
    /// <param name="write">Writes the message; called once, under the lock of the producer. What it has written is taken back where it throws.</param>
    /// <param name="options">What can be said of the message beside.</param>
    /// <param name="cancellationToken">Ends the wait for room; nothing is sent then.</param>
    /// <returns>Its publishing id.</returns>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask<ulong> EnqueueWrittenAsync<TState>(TState state, Action<IBufferWriter<byte>, TState> write, in StreamSendOptions options = default, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(write);
        return Enqueue(new WrittenContent<TState>(state, write), in options, cancellationToken);
    }

    /// <summary>Waits until the broker has answered all messages that were sent before, whether they wait for room or not.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="StreamPublishException">Messages have been lost since the last flush of which nobody else is told: the exception is about the first, and says how many.</exception>
    /// <exception cref="OperationCanceledException">The token has fired.</exception>
    public async Task FlushAsync(CancellationToken cancellationToken = default)
    {
        Task flushed = Flush();
        await flushed.WaitAsync(cancellationToken).ConfigureAwait(false);
        ThrowUntold();
    }

    private ValueTask Send<TContent>(in TContent content, in StreamSendOptions options, CancellationToken cancellationToken)
        where TContent : struct, IMessageContent
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        PendingSend send;
        ProducerLife? woken;
        short token;
        lock (_gate)
        {
            ThrowIfUnusable();
            if (_row.IsEmpty && HasRoom)
            {
                send = _sends.Take();
                try
                {
                    send.Result = Write(in content, in options, send);
                }
                catch
                {
                    _sends.PutBack(send);
                    throw;
                }
            }
            else
            {
                send = Wait(in content, in options, untilConfirmed: true);
            }

            token = send.Token;
            send.Begin(cancellationToken);
            woken = TakeWake();
        }

        woken?.Wake();
        return new ValueTask(send, token);
    }

    private ValueTask<ulong> Enqueue<TContent>(in TContent content, in StreamSendOptions options, CancellationToken cancellationToken)
        where TContent : struct, IMessageContent
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<ulong>(cancellationToken);
        }

        ValueTask<ulong> result;
        ProducerLife? woken;
        lock (_gate)
        {
            ThrowIfUnusable();
            if (_row.IsEmpty && HasRoom)
            {
                result = new ValueTask<ulong>(Write(in content, in options, null));
            }
            else
            {
                Waiting waiting = Wait(in content, in options, untilConfirmed: false);
                result = new ValueTask<ulong>(waiting, waiting.Token);
                waiting.Begin(cancellationToken);
            }

            woken = TakeWake();
        }

        woken?.Wake();
        return result;
    }
}

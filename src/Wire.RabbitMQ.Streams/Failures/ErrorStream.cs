using System.Diagnostics;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Failures;

/// <summary>
/// The destination of messages that cannot be handled: connected to and created when the first of them comes. By one thread at a time.
/// </summary>
internal sealed class ErrorStream
{
    // Of each text about an exception; and where there is little room for them beside the message.
    private const int LongestText = 8192;
    private const int ShortText = 256;

    private readonly StreamClient _client;
    private readonly bool _declares;
    private StreamProducer? _producer;

    /// <param name="client">The client.</param>
    /// <param name="stream">The stream that the messages come from.</param>
    /// <param name="options">The options of its consumer.</param>
    /// <exception cref="ArgumentException">It is the stream itself.</exception>
    public ErrorStream(StreamClient client, string stream, StreamConsumerOptions options)
    {
        _client = client;
        _declares = options.DeclareErrorStream;
        Name = options.ErrorStream ?? (options.SuperStream ?? stream) + ".error";
        if (Name == stream)
        {
            throw new ArgumentException(
                "The error stream is the stream itself: a message that cannot be handled would come again for ever.",
                nameof(options));
        }
    }

    /// <summary>Its name.</summary>
    public string Name { get; }

    /// <summary>Publishes a message to it. Success means that it has arrived; it may have arrived twice.</summary>
    /// <param name="message">The message, which stays valid until this has ended.</param>
    /// <param name="failure">The reason why it cannot be handled.</param>
    /// <param name="cancellationToken">Ends the attempts.</param>
    /// <exception cref="StreamConsumerException">It cannot be published to it.</exception>
    /// <exception cref="OperationCanceledException">The token has fired; it may have arrived.</exception>
    public async ValueTask PublishAsync(StreamMessage message, StreamConsumerException failure, CancellationToken cancellationToken)
    {
        RecoveryOptions recovery = _client.Options.Recovery;
        TimeSpan pause = recovery.FirstPause;
        while (true)
        {
            try
            {
                await PublishOnceAsync(message, failure, cancellationToken).ConfigureAwait(false);
                return;
            }
            catch (Exception e)
            {
                await CloseAsync(cancellationToken).ConfigureAwait(false);
                cancellationToken.ThrowIfCancellationRequested();
                if (!recovery.IsEnabled || !IsPassing(e))
                {
                    throw failure.With($"It could not be put into the error stream '{Name}': {e.Message}", e);
                }

                Trace.TraceWarning($"{failure.Message} It is not in the error stream '{Name}' yet, and is sent again: {e.Message}");
            }

            await Task.Delay(pause, cancellationToken).ConfigureAwait(false);
            pause = pause * 2 < recovery.LongestPause ? pause * 2 : recovery.LongestPause;
        }
    }

    /// <summary>Ends it; another message would begin it anew.</summary>
    /// <param name="cancellationToken">Ends the wait for what is not confirmed.</param>
    public async ValueTask CloseAsync(CancellationToken cancellationToken = default)
    {
        if (_producer is { } producer)
        {
            _producer = null;
            await producer.CloseAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task PublishOnceAsync(StreamMessage message, StreamConsumerException failure, CancellationToken cancellationToken)
    {
        _producer ??= await ConnectAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await SendAsync(_producer, new ErrorMessage(message, failure, LongestText), cancellationToken).ConfigureAwait(false);
        }
        catch (ArgumentException)
        {
            // The message is nearly as large as a frame.
            await SendAsync(_producer, new ErrorMessage(message, failure, ShortText), cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<StreamProducer> ConnectAsync(CancellationToken cancellationToken)
    {
        if (_declares)
        {
            await DeclareAsync(cancellationToken).ConfigureAwait(false);
        }

        // What is not confirmed in time fails, and the stream is looked for again: it may have been deleted.
        double time = Math.Max(10, _client.Options.Timeout.TotalMilliseconds);
        var options = new StreamProducerOptions { ConfirmTimeout = TimeSpan.FromMilliseconds(time), Time = _client.Options.Time };
        return await _client.CreateProducerAsync(Name, options, cancellationToken).ConfigureAwait(false);
    }

    // As it is, where there is one with other options.
    private async Task DeclareAsync(CancellationToken cancellationToken)
    {
        if (!await _client.ExistsAsync(Name, cancellationToken).ConfigureAwait(false))
        {
            await _client.EnsureStreamAsync(Name, null, cancellationToken).ConfigureAwait(false);
        }
    }

    private static ValueTask SendAsync(StreamProducer producer, ErrorMessage message, CancellationToken cancellationToken) =>
        producer.SendWrittenAsync(message, static (output, message) => message.WriteTo(output), default, cancellationToken);

    // What is refused stays refused; what was lost, or is down, may work the next time.
    private static bool IsPassing(Exception e) => e switch
    {
        StreamPublishException { Code: null } or TimeoutException => true,
        StreamException { Code: var code } => code == StreamResponseCode.StreamNotAvailable,
        IOException => !StreamConnectionException.IsRefusal(e),
        _ => false,
    };
}

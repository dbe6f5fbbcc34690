using Wire.RabbitMQ.Streams.Consuming;

namespace Wire.RabbitMQ.Streams.Failures;

/// <summary>
/// The fate of messages that cannot be handled: further attempts, and then what <see cref="StreamConsumerOptions.OnFailure"/> decides.
/// By one thread at a time.
/// </summary>
internal sealed class MessageFailures(string stream, StreamConsumerOptions options, ErrorStream errors)
{
    // The message that has failed last, how often the handler has got it, and what was thrown. It may come again on another link.
    private ulong? _failed;
    private int _attempts;
    private Exception? _error;

    /// <summary>Decides on another attempt, and waits for its time.</summary>
    /// <returns>Whether there is one, unless the subscription is interrupted.</returns>
    public async ValueTask<bool> TryAgainAsync(Subscription subscription, StreamMessage first, ConsumerDispatch dispatch, Exception error)
    {
        bool isReadable = dispatch.IsReadable(first);
        _attempts = !isReadable ? 0 : _failed == first.Offset ? _attempts + 1 : 1;
        _failed = first.Offset;
        bool another = isReadable && options.Retry.IsThereAnother(_attempts, ref error);
        _error = error;
        if (another && options.Retry.DelayBefore(_attempts + 1) is var pause && pause > TimeSpan.Zero)
        {
            await subscription.PauseAsync(pause).ConfigureAwait(false);
        }

        return another;
    }

    /// <summary>The message was handled: where it comes again, its attempts begin anew.</summary>
    public void Succeeded() => _failed = null;

    /// <summary>Leaves out messages for which there is no other attempt.</summary>
    /// <exception cref="StreamConsumerException">The consumer ends.</exception>
    /// <exception cref="OperationCanceledException">The token has fired: they count as not handled.</exception>
    public async ValueTask FailAsync(ReadOnlyMemory<StreamMessage> messages, CancellationToken closing)
    {
        await FailAsync(messages, _error!, _attempts, closing).ConfigureAwait(false);
        _failed = null;
    }

    /// <summary>Leaves out messages that are not given to the handler.</summary>
    /// <inheritdoc cref="FailAsync(ReadOnlyMemory{StreamMessage}, CancellationToken)"/>
    public ValueTask FailAsync(ReadOnlyMemory<StreamMessage> messages, Exception error, CancellationToken closing) =>
        FailAsync(messages, error, 0, closing);

    /// <summary>Leaves out a chunk that cannot be read.</summary>
    /// <exception cref="StreamConsumerException">The consumer ends.</exception>
    public void FailChunk(ulong? first, uint count, Exception error)
    {
        // A damaged chunk may state zero messages.
        string where = first is null ? "" : count <= 1 ? $" with the offset {first}" : $" with the offsets {first} to {first + count - 1}";
        var failure = new StreamConsumerException(
            $"The chunk{where} of '{stream}' could not be read: {error.Message}", stream, first, count, error)
        {
            IsChunk = true,
        };
        switch (Decide(failure))
        {
            case StreamFailedMessage.Skip:
                return;
            case StreamFailedMessage.ErrorStream:
                throw failure.With($"A chunk cannot be put into the error stream '{errors.Name}': skip it, or end.");
            default:
                throw failure;
        }
    }

    private async ValueTask FailAsync(ReadOnlyMemory<StreamMessage> messages, Exception error, int attempts, CancellationToken closing)
    {
        ulong first = messages.Span[0].Offset;
        ulong last = messages.Span[^1].Offset;
        uint count = (uint)(last - first + 1);
        string what = count == 1 ? $"message with the offset {first}" : $"messages with the offsets {first} to {last}";
        var failure = new StreamConsumerException(
            $"The {what} of '{stream}' could not be handled: {error.Message}", stream, first, count, error)
        {
            Attempts = attempts,
        };
        switch (Decide(failure))
        {
            case StreamFailedMessage.Skip:
                return;
            case StreamFailedMessage.ErrorStream:
                for (int i = 0; i < messages.Length; i++)
                {
                    await errors.PublishAsync(messages.Span[i], failure, closing).ConfigureAwait(false);
                }

                return;
            default:
                throw failure;
        }
    }

    private StreamFailedMessage Decide(StreamConsumerException failure)
    {
        try
        {
            return options.OnFailure?.Invoke(failure) ?? StreamFailedMessage.End;
        }
        catch (Exception e)
        {
            throw new StreamConsumerException(
                $"{nameof(StreamConsumerOptions.OnFailure)} has thrown: {e.Message} The failure that it was called with: {failure.Message}",
                stream,
                failure.Offset,
                failure.Count,
                new AggregateException(e, failure));
        }
    }
}

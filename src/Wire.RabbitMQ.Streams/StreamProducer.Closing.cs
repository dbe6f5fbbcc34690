using Wire.RabbitMQ.Streams.Producing;
using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams;

/// <summary>The end.</summary>
public sealed partial class StreamProducer
{
    private Task? _closing;

    /// <summary>
    /// Closes the producer: sends that wait for room fail, and what has been written is sent and waited for, for <see cref="StreamClientOptions.Timeout"/> at most.
    /// What is not confirmed by then fails. Calling it again waits for the same.
    /// </summary>
    /// <exception cref="StreamPublishException">Messages have been lost since the last flush of which nobody else is told: the exception is about the first, and says how many.</exception>
    public Task CloseAsync()
    {
        lock (_gate)
        {
            if (_isWriting)
            {
                throw new InvalidOperationException("A message is being written by this producer, and what serializes it wants to close it.");
            }

            _isClosing = true;
            return _closing ??= Task.Run(CloseOnceAsync);
        }
    }

    /// <inheritdoc cref="CloseAsync"/>
    public async ValueTask DisposeAsync() => await CloseAsync().ConfigureAwait(false);

    private async Task CloseOnceAsync()
    {
        var waiting = new SendChain();
        lock (_gate)
        {
            FailRow(() => new ObjectDisposedException(nameof(StreamProducer), $"The producer of '{Stream}' has been closed while the message waited for room: it was not sent."), ref waiting);
        }

        Completion.Finish(ref waiting, _thread);
        bool isFlushed = await TryFlushAsync().ConfigureAwait(false);
        await _closed.CancelAsync().ConfigureAwait(false);
        Task recovery;
        lock (_gate)
        {
            recovery = _recovery;
        }

        await recovery.ConfigureAwait(false);
        End(new ObjectDisposedException(nameof(StreamProducer), $"The producer of '{Stream}' has been closed."));
        if (_retired is { } life)
        {
            await RemoveAsync(life, keepsNumber: !isFlushed).ConfigureAwait(false);
            await life.WaitForIdleAsync().ConfigureAwait(false);
            await _client.Links.ReturnAsync(life.Link).ConfigureAwait(false);
        }

        _thread.Close();
        if (_linger is not null)
        {
            await _linger.DisposeAsync().ConfigureAwait(false);
        }

        lock (_gate)
        {
            _log.Dispose();
        }

        ThrowUntold();
    }

    private async Task<bool> TryFlushAsync()
    {
        try
        {
            await Flush().WaitAsync(_client.Options.Timeout).ConfigureAwait(false);
            return true;
        }
        catch (TimeoutException)
        {
            // What is left fails, and says so.
            return false;
        }
    }

    // Where confirms may still come, the number is not given to another on this link: they would be taken for its own.
    private static async Task RemoveAsync(ProducerLife life, bool keepsNumber)
    {
        try
        {
            if (!keepsNumber)
            {
                await life.Link.RemovePublisherAsync(life.Number, life, CancellationToken.None).ConfigureAwait(false);

                // The sender does not come again to say so.
                life.SetIdle();
            }
            else if (!life.HasEnded)
            {
                await life.Link.AskAsync<DeletePublisher, Nothing>(new DeletePublisher { PublisherId = life.Number }, CancellationToken.None).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is IOException or TimeoutException)
        {
            // With the link, the publisher has gone too; and a broker that does not answer will be noticed by the heartbeats.
        }
    }
}

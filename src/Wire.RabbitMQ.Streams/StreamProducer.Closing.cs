using Wire.RabbitMQ.Streams.Producing;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Streams;

/// <summary>The end.</summary>
public sealed partial class StreamProducer
{
    private Task? _closing;

    /// <summary>
    /// Closes the producer: sends that wait for room fail, and what has been written is sent and waited for, for <see cref="StreamClientOptions.Timeout"/> at most.
    /// What is not confirmed by then fails. When it ends, <see cref="StreamProducerOptions.Confirmed"/> has been told of all, unless it takes longer than that itself.
    /// Calling it again waits for the same.
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
        var waiting = new OperationQueue<PendingSend>();
        lock (_gate)
        {
            FailRow(() => new ObjectDisposedException(nameof(StreamProducer), $"The producer of '{Stream}' has been closed while the message waited for room: it was not sent."), ref waiting);
        }

        Completion.Finish(ref waiting, _thread);

        // What is left then fails, and says so.
        bool isFlushed = await TryWaitAsync(Flush()).ConfigureAwait(false);
        await _closed.CancelAsync().ConfigureAwait(false);
        Task recovery;
        lock (_gate)
        {
            recovery = _recovery;
        }

        await recovery.ConfigureAwait(false);
        End(new ObjectDisposedException(nameof(StreamProducer), $"The producer of '{Stream}' has been closed."));
        bool isIdle = true;
        if (_retired is { } life)
        {
            await RemoveAsync(life, keepsNumber: !isFlushed).ConfigureAwait(false);

            // A broker that reads nothing, as it does when it is short of disk space, lets the sender wait in the middle of a frame. What that reads from is not
            // given to others then, but left to the collector.
            isIdle = await TryWaitAsync(life.WaitForIdleAsync()).ConfigureAwait(false);
            await _client.Links.ReturnAsync(life.Link).ConfigureAwait(false);
        }

        if (_confirmations is not null)
        {
            await TryWaitAsync(_confirmations.WaitAsync()).ConfigureAwait(false);
        }

        _thread.Close();
        if (_linger is not null)
        {
            await _linger.DisposeAsync().ConfigureAwait(false);
        }

        if (isIdle)
        {
            lock (_gate)
            {
                _log.Dispose();
            }
        }

        ThrowUntold();
    }

    private async Task<bool> TryWaitAsync(Task task)
    {
        try
        {
            await task.WaitAsync(_client.Options.Timeout).ConfigureAwait(false);
            return true;
        }
        catch (TimeoutException)
        {
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

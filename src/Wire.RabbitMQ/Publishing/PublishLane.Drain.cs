using System.Runtime.CompilerServices;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace Wire.RabbitMQ.Publishing;

/// <summary>The drain: takes messages out of the row one after the other, and publishes them.</summary>
internal sealed partial class PublishLane
{
    // The message that is in neither row nor ring.
    private PublishOperation? _inHand;

    private async Task DrainAsync(int budget)
    {
        while (true)
        {
            lock (_gate)
            {
                if (IsFull || _waiting.Count == 0)
                {
                    _draining = false;
                    SignalWhenEmpty();
                    return;
                }

                if (budget-- == 0)
                {
                    break;
                }

                _inHand = _waiting.TryTake()!;
            }

            try
            {
                await PublishAsync(_inHand).ConfigureAwait(false);
            }
            catch (Exception e)
            {
                // Nothing is known to come here. What it would leave behind must not wait for ever.
                FinishInHand(e);
                if (_channel is { } channel)
                {
                    Close(channel, channel.CloseReason, e);
                }
            }
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    // Whatever goes wrong ends in the task of the message.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask PublishAsync(PublishOperation operation)
    {
        if (!operation.TryStart())
        {
            FinishInHand(null);
            return;
        }

        BasicProperties properties;
        try
        {
            properties = operation.Describe(_scratch);
        }
        catch (Exception e)
        {
            FinishInHand(e);
            return;
        }

        while (true)
        {
            PublishChannel channel;
            try
            {
                channel = _channel is { IsClosed: false } open ? open : await OpenAsync().ConfigureAwait(false);
            }
            catch (Exception e)
            {
                FinishInHand(e);
                FailWaiting(e);
                _ = Task.Run(() => PublisherLog.ChannelRefused(logger, e));
                return;
            }

            if (operation.IsAbandoned)
            {
                FinishInHand(null);
                return;
            }

            try
            {
                await operation.PublishAsync(channel, properties, _scratch, source.Connection).ConfigureAwait(false);
                if (_inHand is null)
                {
                    return;
                }
            }
            catch (Exception e) when (_inHand is not null && !(e is AlreadyClosedException && !channel.IsOpen))
            {
                // It has not come so far that it would concern the channel.
                FinishInHand(e);
                return;
            }
            catch (Exception e)
            {
                if (!TryTakeBack(channel, operation))
                {
                    // It has failed with its channel.
                    return;
                }

                // Then the next channel takes it.
                bool isNotSent = e is AlreadyClosedException;
                if (!isNotSent)
                {
                    FinishInHand(channel.IsOpen ? e : PublishErrors.Unconfirmed(operation, channel.CloseReason, e));
                }

                if (isNotSent || !channel.IsOpen)
                {
                    Close(channel, channel.CloseReason, e);
                }

                if (!isNotSent)
                {
                    return;
                }
            }
        }
    }

    /// <summary>Has a message that failed in hand again, whether it was committed or not; false where it was, and has been finished since.</summary>
    private bool TryTakeBack(PublishChannel channel, PublishOperation operation)
    {
        lock (_gate)
        {
            if (_inHand is null)
            {
                _inHand = channel.InFlight.TryTakeBack(operation) ? operation : null;
            }

            return _inHand is not null;
        }
    }

    private async Task<PublishChannel> OpenAsync()
    {
        try
        {
            PublishChannel opened = await PublishChannel.OpenAsync(source, this, options, _stop.Token).ConfigureAwait(false);
            lock (_gate)
            {
                if (!_stop.IsCancellationRequested)
                {
                    _channel = opened;
                    return opened;
                }
            }

            await DropAsync(opened).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            // Said below.
        }

        throw Disposed();
    }

    private void FinishInHand(Exception? error)
    {
        PublishOperation? operation = _inHand;
        _inHand = null;
        operation?.Finish(error);
    }
}

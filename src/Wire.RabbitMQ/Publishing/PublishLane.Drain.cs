using System.Runtime.CompilerServices;
using System.Threading.Channels;
using RabbitMQ.Client.Exceptions;

namespace Wire.RabbitMQ;

/// <summary>The drain: takes messages out of the row one after the other, makes them, and publishes them.</summary>
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

        Outgoing outgoing;
        try
        {
            outgoing = operation.Prepare(_scratch);
            operation.Bytes = outgoing.Body.Length;
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

            if (operation.IsSettled)
            {
                FinishInHand(null);
                return;
            }

            try
            {
                operation.Sending(in outgoing, source.Connection);
                HeaderFrame.Require(outgoing.Properties, source.Connection);
            }
            catch (Exception e)
            {
                FinishInHand(e);
                return;
            }

            lock (_gate)
            {
                if (channel.IsClosed)
                {
                    continue;
                }

                // Before it is sent, since the confirmation may come before the client's method returns. From then on it is the ring's.
                channel.InFlight.Add(operation);
                _inHand = null;
            }

            try
            {
                await channel.PublishAsync(operation, outgoing).ConfigureAwait(false);
                return;
            }
            catch (Exception e)
            {
                lock (_gate)
                {
                    if (!channel.InFlight.TryTakeBack(operation))
                    {
                        // It has failed with its channel.
                        return;
                    }

                    _inHand = operation;
                }

                bool isNotSent = e is AlreadyClosedException or ChannelClosedException;
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

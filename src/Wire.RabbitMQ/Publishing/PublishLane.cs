using System.Diagnostics;
using Microsoft.Extensions.Logging;
using RabbitMQ.Client.Events;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Diagnostics;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Publishing;

/// <summary>
/// One channel's worth of publishing: messages wait in one row, and one drain at a time takes them out, makes them and publishes them, so that
/// their order is that of the calls. The drain ends when nothing waits or too much is in flight, and is begun anew by a call or a confirmation.
/// </summary>
internal sealed partial class PublishLane(ChannelSource source, WireBodySerializer serializer, WirePublisherOptions options, ILogger logger) : IThreadPoolWorkItem, IAsyncDisposable
{
    private readonly Lock _gate = new();
    private readonly PublishScratch _scratch = new(serializer);
    private readonly CancellationTokenSource _stop = new();

    // Guarded by the lock. Only the drain opens a channel.
    private WaitingRow<PublishOperation> _waiting;
    private PublishChannel? _channel;
    private bool _draining;
    private TaskCompletionSource? _emptied;

    /// <summary>Whether a message would have to wait. A glance without the lock: what it says may be out of date.</summary>
    public bool IsBusy => _draining || _channel is { InFlight.IsFull: true };

    /// <summary>How many messages wait or are in flight. A glance as well.</summary>
    public int Load => _waiting.Count + (_channel?.InFlight.Count ?? 0);

    private bool IsFull => _channel is { IsClosed: false, InFlight.IsFull: true };

    /// <summary>Puts a message into the row; false when the lane is closing.</summary>
    public bool TryPost(PublishOperation operation)
    {
        lock (_gate)
        {
            if (_emptied is not null)
            {
                return false;
            }

            // One that is cancelled before it has a lane is passed over when its turn comes.
            operation.Lane = this;
            _waiting.Add(operation);
            if (!TryBeginDrain())
            {
                return true;
            }
        }

        // The caller's own message on the caller's thread, and no other's.
        _ = DrainAsync(1);
        return true;
    }

    /// <summary>A message that waits has been cancelled: it leaves the row at once.</summary>
    public void Leave(PublishOperation operation)
    {
        lock (_gate)
        {
            if (!_waiting.TryLeave(operation))
            {
                return;
            }

            SignalWhenEmpty();
        }

        operation.Finish(null);
    }

    /// <summary>The drain on the thread pool.</summary>
    void IThreadPoolWorkItem.Execute() => _ = DrainAsync(int.MaxValue);

    /// <summary>
    /// A message is about to be sent. From now on it is the ring's: its confirmation may come before the call that sends it has returned.
    /// </summary>
    public bool TryCommit(PublishChannel channel, PublishOperation operation)
    {
        lock (_gate)
        {
            if (channel.IsClosed)
            {
                return false;
            }

            channel.InFlight.Add(operation);
            _inHand = null;
            return true;
        }
    }

    /// <summary>The broker has spoken about messages.</summary>
    public void Confirm(PublishChannel channel, ulong number, bool multiple, bool acked)
    {
        OperationQueue<PublishOperation> answered;
        bool drain;
        lock (_gate)
        {
            answered = channel.InFlight.Take(number, multiple);
            drain = TryBeginDrain();
            SignalWhenEmpty();
        }

        if (drain)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }

        while (answered.TryTake() is { } operation)
        {
            operation.Finish(PublishErrors.Answered(operation, acked));
        }
    }

    /// <summary>A message came back. Its confirmation follows.</summary>
    public void Return(PublishChannel channel, BasicReturnEventArgs returned)
    {
        string? messageId = returned.BasicProperties.MessageId;
        lock (_gate)
        {
            channel.InFlight.Return(messageId, returned.Exchange, returned.RoutingKey, returned.ReplyCode, returned.ReplyText);
        }
    }

    /// <summary>A channel has come to its end: what is in flight on it fails, and what waits goes over the next one.</summary>
    public void Close(PublishChannel channel, ShutdownEventArgs? reason, Exception? error = null)
    {
        OperationQueue<PublishOperation> lost;
        bool drain;
        lock (_gate)
        {
            if (channel.IsClosed)
            {
                return;
            }

            channel.IsClosed = true;
            lost = channel.InFlight.TakeAll();
            drain = TryBeginDrain();
            SignalWhenEmpty();
        }

        Telemetry.ChannelsLost.Add(1);
        int count = lost.Count;
        if (drain)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }

        while (lost.TryTake() is { } operation)
        {
            operation.Finish(PublishErrors.Unconfirmed(operation, reason, error));
        }

        // Not here: this may be one of the channel's events.
        _ = Task.Run(() =>
        {
            PublisherLog.ChannelClosed(logger, reason?.ReplyCode ?? 0, reason?.ReplyText ?? "", count);
            return DropAsync(channel);
        });
    }

    /// <summary>Takes no more messages, waits for those that it has, but not for ever, and closes its channel.</summary>
    public async ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            _emptied = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            SignalWhenEmpty();
        }

        try
        {
            await _emptied.Task.WaitAsync(options.RecoveryTimeout).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            PublisherLog.Abandoned(logger, Load, options.RecoveryTimeout.TotalSeconds);
        }

        await _stop.CancelAsync().ConfigureAwait(false);
        FailWaiting(Disposed());
        PublishChannel? channel;
        OperationQueue<PublishOperation> lost = default;
        lock (_gate)
        {
            channel = _channel is { IsClosed: false } open ? open : null;
            if (channel is not null)
            {
                channel.IsClosed = true;
                lost = channel.InFlight.TakeAll();
            }
        }

        while (lost.TryTake() is { } operation)
        {
            operation.Finish(PublishErrors.Unconfirmed(operation, null, new ObjectDisposedException(nameof(WirePublisher), "The publisher was disposed of before the broker had confirmed the message.")));
        }

        if (channel is not null)
        {
            await DropAsync(channel).ConfigureAwait(false);
        }

        // A drain that is still at work keeps it.
        if (_emptied.Task.IsCompleted)
        {
            _stop.Dispose();
        }
    }

    /// <summary>What listens to spans or numbers has thrown, on a thread that has other messages to end.</summary>
    public void ListenerFailed(Exception error) => PublisherLog.ListenerFailed(logger, error);

    /// <summary>What someone is told who publishes with a publisher that has been disposed of.</summary>
    public static ObjectDisposedException Disposed() => new(nameof(WirePublisher), "The publisher has been disposed of: the message has not been published.");

    private async Task DropAsync(PublishChannel channel)
    {
        try
        {
            await channel.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            PublisherLog.ChannelNotClosed(logger, e);
        }
    }

    private void FailWaiting(Exception error)
    {
        OperationQueue<PublishOperation> waiting;
        lock (_gate)
        {
            waiting = _waiting.TakeAll();
            SignalWhenEmpty();
        }

        while (waiting.TryTake() is { } failed)
        {
            failed.Finish(error);
        }
    }

    // True obliges the caller to drain.
    private bool TryBeginDrain()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "What waits is guarded by the gate.");
        if (_draining || _waiting.Count == 0 || IsFull)
        {
            return false;
        }

        return _draining = true;
    }

    private void SignalWhenEmpty()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "What waits is guarded by the gate.");
        if (_emptied is not null && !_draining && _waiting.Count == 0 && _channel is not { InFlight.Count: > 0 })
        {
            _emptied.TrySetResult();
        }
    }
}

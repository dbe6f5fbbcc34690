using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Client;

/// <summary>
/// Settles the deliveries of a channel of RabbitMQ.Client, soon and in batches. It ends permanently with the channel: later calls are
/// ignored, because the broker redelivers unsettled messages. Thread-safe.
/// </summary>
internal sealed class Settling : IThreadPoolWorkItem, IDisposable
{
    private readonly AckBatcher _hold;
    private readonly List<AckCommand> _commands = [];
    private readonly RawChannel _channel;
    private readonly Action<Exception> _failed;
    private readonly bool _isAwaited;

    public Settling(RawChannel channel, ushort prefetch, TimeSpan ackDelay, Action<Exception> failed)
    {
        (_channel, _failed) = (channel, failed);
        _hold = new AckBatcher(prefetch, ackDelay, ScheduleSend);
        _hold.HoldFor(prefetch);
        _isAwaited = !_hold.IsHolding;
    }

    /// <summary>Adds a delivery; false after the end.</summary>
    /// <exception cref="InvalidOperationException">Something else consumes on the channel.</exception>
    public bool TryDeliver(ulong tag) => _hold.TryDeliver(tag, isSettled: true);

    /// <summary>Settles a delivery, soon and together with others.</summary>
    public void Settle(ulong tag, Settlement settlement)
    {
        if (!_hold.TryEnd(tag, multiple: false, settlement, mayHold: true, out bool mustSend) || !mustSend)
        {
            return;
        }

        if (_isAwaited)
        {
            // With such a small prefetch the broker waits for this.
            _ = SendAsync();
            return;
        }

        ScheduleSend();
    }

    /// <summary>Sends all pending acknowledgements.</summary>
    public async Task SendAllAsync()
    {
        while (_hold.HasEnded || !_hold.WhenTold().IsCompleted)
        {
            await (_hold.TryBeginSend() ? SendAsync() : _hold.WhenTold()).ConfigureAwait(false);
        }
    }

    /// <summary>Sends the acknowledgements, on a pool thread.</summary>
    void IThreadPoolWorkItem.Execute() => _ = SendAsync();

    /// <summary>Ends all notifications.</summary>
    public void Dispose()
    {
        _hold.Seal();
        _hold.Dispose();
    }

    // Deliveries that end before its turn are sent with it.
    private void ScheduleSend() => ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);

    // One caller at a time: the one that TryBeginSend chose.
    private async Task SendAsync()
    {
        do
        {
            _hold.Drain(_commands);
            try
            {
                foreach (AckCommand notice in _commands)
                {
                    await SendAsync(notice).ConfigureAwait(false);
                }
            }
            catch (Exception e)
            {
                // The channel has ended or is about to: the broker redelivers unsettled messages.
                _failed(e);
            }
        }
        while (!_hold.IsSent());
    }

    private ValueTask SendAsync(AckCommand notice) => notice.Settlement == Settlement.Ack
        ? _channel.AckAsync(notice.Tag, notice.Multiple)
        : _channel.RejectAsync(notice.Tag, requeue: notice.Settlement == Settlement.Requeue);
}

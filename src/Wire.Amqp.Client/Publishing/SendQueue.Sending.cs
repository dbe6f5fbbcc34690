using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Publishing;

/// <content>The writer's side: it takes buffers, and says what has become of them.</content>
internal sealed partial class SendQueue
{
    /// <summary>Takes the next buffer for the writer.</summary>
    /// <param name="more">True if there is more: then the writer comes again, without being woken.</param>
    /// <returns>
    /// The buffer, which the writer returns after sending; null when nothing is queued and sending stops.
    /// </returns>
    public AmqpBuffer? Dequeue(out bool more)
    {
        more = false;
        if (gate.IsHeldByCurrentThread)
        {
            // The object that is being serialized publishes on another channel and sends that itself: this queue is in the middle of a
            // message.
            ThreadPool.UnsafeQueueUserWorkItem(static sendQueue => sendQueue.Writer.Signal(sendQueue), this, preferLocal: false);
            return null;
        }

        EnterSpinning();
        try
        {
            _isQueued = false;
            _isLingering = false;
            if (_closed is not null)
            {
                return null;
            }

            if (!_isStreaming && !_isSealed && owner is { HasPendingAcks: true })
            {
                AmqpBuffer output = Open();
                long start = output.Length;
                owner.WritePendingAcks(output);
                Volatile.Write(ref _written, _written + output.Length - start);
            }

            if (!_full.TryDequeue(out AmqpBuffer? taken))
            {
                (taken, _buffer) = (_buffer, null);
            }

            if (taken is not null)
            {
                _takenUpTo += taken.Length;
                Interlocked.Increment(ref _taken);
            }

            if (_isStreaming)
            {
                Stream.MayGoOn();
            }
            else if (_buffer is null)
            {
                (_buffer, _behind) = (_behind, null);
            }

            more = _isQueued = _buffer is not null;
            return taken;
        }
        finally
        {
            gate.Exit();
        }
    }

    /// <summary>Counts bytes of a buffer that was taken and sent; the buffer is not in use any more.</summary>
    public void Sent(long bytes)
    {
        // In this order, and with barriers between: a watcher first registers, and then looks.
        Volatile.Write(ref _sent, _sent + bytes);
        Interlocked.Decrement(ref _taken);
        if (!_isWatched && _closed is null)
        {
            return;
        }

        OperationQueue<Queued> done;
        OperationQueue<Queued> lost;
        bool hasRoom;
        lock (gate)
        {
            done = _waiters.TakeUpTo(_sent);
            lost = Lost();
            hasRoom = _wasFull;
            _wasFull = false;
            _isWatched = !_waiters.IsEmpty;
        }

        Complete(done, null);
        Complete(lost, _closed);
        if (hasRoom)
        {
            owner?.RoomMade();
        }
    }

    /// <summary>Notes that a taken buffer has not been sent as a whole, and is not in use any more.</summary>
    public void Dropped()
    {
        Interlocked.Decrement(ref _taken);
        OperationQueue<Queued> lost;
        lock (gate)
        {
            lost = Lost();
        }

        Complete(lost, _closed);
    }

    /// <summary>Ends sending. Waiting callers are completed when the writer has released its buffers.</summary>
    public void Close(Exception reason)
    {
        OperationQueue<Queued> lost;
        lock (gate)
        {
            if (_closed is not null)
            {
                return;
            }

            _closed = reason;
            Interlocked.MemoryBarrier();
            lost = Lost();
            _isSealLost = (_buffer ?? _behind) is not null;
            while (_full.TryDequeue(out AmqpBuffer? full))
            {
                writer.Return(full);
            }

            Drop(ref _buffer);
            Drop(ref _behind);
            if (_isStreaming)
            {
                Stream.MayGoOn();
            }
        }

        Complete(lost, reason);
    }

    // When nothing more is sent, and the writer has released all that it had.
    private OperationQueue<Queued> Lost() =>
        _closed is not null && Volatile.Read(ref _taken) == 0 ? _waiters.TakeUpTo(long.MaxValue) : default;

    private static void Complete(OperationQueue<Queued> waiters, Exception? error)
    {
        while (waiters.TryTake() is { } waiter)
        {
            ((ISentWaiter)waiter).Sent(error);
        }
    }
}

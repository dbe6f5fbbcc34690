using Wire.RabbitMQ.Streams.Producing;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Streams;

/// <summary>What becomes of messages that were sent.</summary>
public sealed partial class StreamProducer
{
    /// <summary>The broker has stored messages.</summary>
    internal void Confirm(ProducerLife life, ReadOnlySpan<byte> ids)
    {
        var answered = new OperationQueue<PendingSend>();
        bool admits;
        lock (_gate)
        {
            if (_life != life)
            {
                return;
            }

            var teller = new Teller(_confirmations, StreamResponseCode.Ok);
            _ring.Confirm(ids, _log.TakenPosition, ref answered, ref teller);
            admits = MakeRoom();
        }

        Tell(ref answered, admits);
    }

    /// <summary>The broker has not stored a message.</summary>
    internal void Refuse(ProducerLife life, ulong id, StreamResponseCode code)
    {
        var answered = new OperationQueue<PendingSend>();
        bool admits;
        lock (_gate)
        {
            if (_life != life || !_ring.TryTake(id, _log.TakenPosition, ref answered, out ulong first))
            {
                return;
            }

            Fail(first, id, code, null, ref answered);
            admits = MakeRoom();
        }

        Tell(ref answered, admits);
    }

    /// <summary>It is the turn of a flush.</summary>
    internal void FlushBehind(TaskCompletionSource flushed)
    {
        if (_ring.Head == _ring.Tail)
        {
            flushed.SetResult();
        }
        else
        {
            _flushes.Enqueue((_ring.Tail, flushed));
        }
    }

    /// <summary>The wait of a send has been cancelled.</summary>
    internal void Leave(Waiting waiting)
    {
        lock (_gate)
        {
            if (!waiting.IsWaiting)
            {
                return;
            }

            waiting.IsWaiting = false;
            _row.Remove(waiting);
        }

        // The row has let go of it, as an answer would have. The cancellation still holds it.
        waiting.Finish(inline: false);
    }

    private Task Flush()
    {
        ProducerLife? woken;
        var flushed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (_row.IsEmpty)
            {
                FlushBehind(flushed);
            }
            else
            {
                _row.Add(new WaitingFlush(this, flushed) { IsWaiting = true });
            }

            woken = TakeWake();
        }

        woken?.Wake();
        return flushed.Task;
    }

    private void ThrowUntold()
    {
        StreamPublishException? first;
        long count;
        lock (_gate)
        {
            (first, count) = (_untold, _untoldCount);
            (_untold, _untoldCount) = (null, 0);
        }

        if (first is not null)
        {
            throw count == 1 ? first : new StreamPublishException($"{count} messages were not confirmed, of which this is the first: {first.Message}", first.PublishingId, first.Code, first);
        }
    }

    // After entries have been settled. Returns whether some that wait may enter.
    private bool MakeRoom()
    {
        _log.Release(_ring.Head);
        while (_flushes.TryPeek(out var flush) && flush.Position <= _ring.Head)
        {
            _flushes.Dequeue().Done.SetResult();
        }

        if (_isAdmitting || _row.IsEmpty || !HasRoom)
        {
            return false;
        }

        return _isAdmitting = true;
    }

    private void Tell(ref OperationQueue<PendingSend> answered, bool admits)
    {
        if (admits)
        {
            _thread.Run(_admission);
        }

        Completion.Finish(ref answered, _thread);
        _confirmations?.Tell();
    }

    // Those of an entry, and what they are told. Under the lock.
    private void Fail(ulong first, ulong last, StreamResponseCode? code, Exception? reason, ref OperationQueue<PendingSend> answered)
    {
        _confirmations?.Add(first, last, code);
        long waited = 0;
        OperationQueue<PendingSend> failed = answered;
        answered = default;
        while (failed.TryTake() is { } send)
        {
            send.Error ??= NotConfirmed(send.Result, code, reason);
            answered.Add(send);
            waited++;
        }

        if (_confirmations is null && waited < (long)(last - first + 1))
        {
            _untold ??= NotConfirmed(first, code, reason);
            _untoldCount += (long)(last - first + 1) - waited;
        }
    }

    private StreamPublishException NotConfirmed(ulong id, StreamResponseCode? code, Exception? reason) => code is null
        ? Lost(id, reason!)
        : new StreamPublishException($"The broker has not stored message {id} in '{Stream}': {code}.", id, code);

    private StreamPublishException Lost(ulong? id, Exception reason) => id is null
        ? new StreamPublishException($"A message was not sent to '{Stream}': {reason.Message}", null, null, reason)
        : new StreamPublishException($"Message {id} to '{Stream}' was sent and not confirmed, so the broker may have it or not: {reason.Message}", id, null, reason);

    private readonly struct Teller(Confirmations? confirmations, StreamResponseCode code) : IConfirmed
    {
        public void Settled(ulong firstId, ulong lastId) => confirmations?.Add(firstId, lastId, code);
    }

    // Lets those in that wait, as far as there is room.
    private sealed class Admission(StreamProducer producer) : IThreadPoolWorkItem
    {
        public void Execute() => producer.Admit();
    }

    private void Admit()
    {
        var answered = new OperationQueue<PendingSend>();
        ProducerLife? woken;
        lock (_gate)
        {
            _isAdmitting = false;
            while (!_row.IsEmpty && HasRoom && _ended is null)
            {
                Waiting waiting = _row.TryTake()!;
                waiting.IsWaiting = false;
                if (waiting.Enter())
                {
                    answered.Add(waiting);
                }
            }

            woken = TakeWake();
        }

        woken?.Wake();
        Completion.FinishHere(ref answered);
    }
}

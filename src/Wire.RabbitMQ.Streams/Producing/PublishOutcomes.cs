using System.Buffers.Binary;
using System.Diagnostics;
using Wire.RabbitMQ.Streams.Diagnostics;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>
/// The outcomes of written messages, and their reporting: to their tasks, to <see cref="StreamProducerOptions.Confirmed"/>, and to flushes
/// otherwise. Under the gate of the <see cref="Publisher"/>, where a member does not say otherwise.
/// </summary>
internal sealed class PublishOutcomes
{
    private readonly Lock _gate;
    private readonly string _stream;
    private readonly UnconfirmedRing _ring;
    private readonly PublishLog _log;
    private readonly PublishMeter _meter;
    private readonly Confirmations? _confirmations;
    private readonly Action<ulong, ulong>? _confirmed;
    private readonly Queue<(ulong Position, TaskCompletionSource Done)> _flushes = [];

    // Messages whose results are not reported anywhere: the next flush reports them.
    private StreamPublishException? _untold;
    private long _untoldCount;

    public PublishOutcomes(Lock gate, string stream, UnconfirmedRing ring, PublishLog log, Confirmations? confirmations)
    {
        _gate = gate;
        _stream = stream;
        _ring = ring;
        _log = log;
        _meter = new PublishMeter(stream);
        _confirmations = confirmations;
        if (confirmations is not null)
        {
            _confirmed = (first, last) => confirmations.Add(first, last, StreamResponseCode.Ok);
        }
    }

    /// <summary>Gets whether a flush waits for what is unconfirmed.</summary>
    public bool HasFlushes => _flushes.Count > 0;

    /// <summary>The broker has stored messages, or has not, and says why.</summary>
    /// <param name="ids">Their ids: 8 bytes each, most significant first; one where it has not.</param>
    /// <param name="code">Ok, or the reason.</param>
    /// <param name="answered">The callers that wait for one.</param>
    public void Settle(ReadOnlySpan<byte> ids, StreamResponseCode code, ref OperationQueue<PendingOperation> answered)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (code == StreamResponseCode.Ok)
        {
            Confirm(ids, ref answered);
        }
        else if (BinaryPrimitives.ReadUInt64BigEndian(ids) is var id
            && _ring.TimeOf(ids, _log.TakenPosition) is var written
            && _ring.TryTake(id, _log.TakenPosition, ref answered, out ulong first))
        {
            Fail(first, id, code, null, wasSent: true, written, in answered);
        }
    }

    /// <summary>
    /// Gives up the entries before a position: the outcome of those that were sent stays unknown, and the others must not be sent.
    /// </summary>
    public void FailUpTo(ulong position, Exception reason, ref OperationQueue<PendingOperation> answered)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        ulong sent = _log.SentPosition;
        while (_ring.Head < position)
        {
            var failed = new OperationQueue<PendingOperation>();
            bool wasSent = _ring.Head < sent;
            uint written = _ring.HeadTime;
            _ring.TakeFirst(ref failed, out ulong first, out ulong last);
            Fail(first, last, null, reason, wasSent, written, in failed);
            answered.Append(failed);
        }
    }

    /// <summary>Completes the flushes that have nothing left to wait for.</summary>
    public void EndFlushes()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        while (_flushes.TryPeek(out var flush) && flush.Position <= _ring.Head)
        {
            _flushes.Dequeue().Done.SetResult();
        }
    }

    /// <summary>A flush ends when all that is unconfirmed now has been answered.</summary>
    public void FlushBehind(TaskCompletionSource flushed)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        _flushes.Enqueue((_ring.Tail, flushed));
        EndFlushes();
    }

    /// <summary>Schedules the callback, and tells who counts. Not under the gate.</summary>
    public void ScheduleCallback()
    {
        _confirmations?.ScheduleCallback();
        _meter.Tell();
    }

    /// <summary>Ends when the callback has been called with all results.</summary>
    public Task WaitAsync() => _confirmations?.WaitAsync() ?? Task.CompletedTask;

    /// <summary>Returns the messages that were lost since the last call and not reported. Takes the gate itself.</summary>
    /// <exception cref="StreamPublishException">Messages were lost.</exception>
    public void ThrowUntold()
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
            string all = $"{count} messages were not confirmed. The first: {first.Message}";
            throw count == 1
                ? first
                : new StreamPublishException(all, first.PublishingId, first.Code, first)
                {
                    MayBeStored = first.MayBeStored,
                };
        }
    }

    private void Confirm(ReadOnlySpan<byte> ids, ref OperationQueue<PendingOperation> answered)
    {
        bool isCounted = PublishMeter.IsOn;
        uint written = isCounted ? _ring.TimeOf(ids, _log.TakenPosition) : 0;
        long confirmed = _ring.Confirm(ids, _log.TakenPosition, ref answered, _confirmed);
        if (isCounted && confirmed > 0)
        {
            _meter.Confirmed(confirmed, written);
        }
    }

    // The sends of an entry, and their result.
    private void Fail(
        ulong first, ulong last, StreamResponseCode? code, Exception? reason, bool wasSent, uint written,
        in OperationQueue<PendingOperation> answered)
    {
        _confirmations?.Add(first, last, code);
        _meter.Failed((long)(last - first + 1), code, reason, wasSent, written);
        long unheard = (long)(last - first + 1);
        foreach (PendingOperation operation in answered)
        {
            var send = (IAwaitedSend)operation;
            send.Fail(id => NotConfirmed(id, code, reason, wasSent));
            unheard -= send.Messages;
        }

        if (_confirmations is null && unheard > 0)
        {
            _untold ??= NotConfirmed(first, code, reason, wasSent);
            _untoldCount += unheard;
        }
    }

    private StreamPublishException NotConfirmed(ulong id, StreamResponseCode? code, Exception? reason, bool wasSent) => code is null
        ? new StreamPublishException(
            wasSent
                ? $"Message {id} to '{_stream}' was sent and not confirmed: it may or may not be stored. {reason!.Message}"
                : $"Message {id} was not sent to '{_stream}': {reason!.Message}",
            id,
            null,
            reason)
        {
            MayBeStored = wasSent,
        }
        : new StreamPublishException($"The broker has not stored message {id} in '{_stream}': {code}.", id, code);
}

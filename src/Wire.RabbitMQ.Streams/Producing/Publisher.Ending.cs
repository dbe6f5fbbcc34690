using System.Diagnostics;
using Wire.RabbitMQ.Streams.Diagnostics;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Streams.Producing;

/// <content>The end: of the program's own will, or for a reason that all waiting messages fail with.</content>
internal sealed partial class Publisher
{
    /// <summary>Refuses further messages, and fails those that wait for room.</summary>
    /// <exception cref="InvalidOperationException">It is called by what serializes a message of this producer.</exception>
    public void Close()
    {
        var waiting = new OperationQueue<PendingOperation>();
        lock (_gate)
        {
            if (_writer.IsWriting)
            {
                throw new InvalidOperationException(
                    "A message is being written by this producer, and its serializer tried to close the producer.");
            }

            _isClosing = true;
            FailQueue(
                () => new ObjectDisposedException(
                    nameof(StreamProducer),
                    $"The producer of '{_stream}' has been closed while the message waited for room: it was not sent."),
                ref waiting);
        }

        Completion.Finish(ref waiting, _thread);
    }

    /// <summary>Ends permanently: waiting messages fail, and nothing more is sent.</summary>
    /// <param name="reason">The reason.</param>
    /// <param name="session">Its last session; null for none.</param>
    /// <returns>True if it had not ended before.</returns>
    public bool TryEnd(Exception reason, out ProducerSession? session)
    {
        var answered = new OperationQueue<PendingOperation>();
        lock (_gate)
        {
            session = null;
            if (_ended is not null)
            {
                return false;
            }

            Volatile.Write(ref _ended, reason);
            session = _turn.Detach();
            if (session is { IsSending: false })
            {
                session.SetIdle();
            }

            Outcomes.FailUpTo(_ring.Tail, reason, ref answered);
            FailQueue(() => NotSent(reason), ref answered);
            Outcomes.EndFlushes();
        }

        Complete(ref answered, admits: false);
        return true;
    }

    /// <summary>Releases its memory after its end.</summary>
    /// <param name="isIdle">
    /// True if none of it is being sent: otherwise its memory is left to the collector instead of the pool.
    /// </param>
    public async Task ReleaseAsync(bool isIdle)
    {
        Telemetry.Hide(this);
        _looks?.Dispose();
        _thread.Close();
        _turn.Dispose();
        if (isIdle)
        {
            lock (_gate)
            {
                _log.Dispose();
            }
        }
    }

    private void FailQueue(Func<Exception> reason, ref OperationQueue<PendingOperation> answered)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        while (_queue.TryTake() is { } waiting)
        {
            if (waiting is WaitingFlush flush)
            {
                flush.Flushed.SetResult();
                continue;
            }

            waiting.Error = reason();
            answered.Add(waiting);
        }
    }

    private StreamPublishException NotSent(Exception reason) =>
        new($"A message was not sent to '{_stream}': {reason.Message}", null, null, reason);
}

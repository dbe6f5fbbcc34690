using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Producing;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Transport;
using Wire.Transport.Pending;
using Wire.Transport.Recovery;

namespace Wire.RabbitMQ.Streams;

/// <summary>From one link to the next.</summary>
public sealed partial class StreamProducer
{
    private readonly CancellationTokenSource _closed = new();
    private Task _recovery = Task.CompletedTask;

    // The life of a producer that has ended by itself: its link is given back when that is closed.
    private ProducerLife? _retired;

    /// <summary>Ends when it has found its way back, or does not look for it any more.</summary>
    internal Task Recovering
    {
        get
        {
            lock (_gate)
            {
                return _recovery;
            }
        }
    }

    /// <summary>Begins a life: on the node with the stream's leader.</summary>
    internal async Task ConnectAsync(bool isFirst, CancellationToken cancellationToken)
    {
        StreamLink link = await _client.Links.RentAsync(Stream, LinkUse.Publish, cancellationToken).ConfigureAwait(false);
        var life = new ProducerLife(this, link);
        try
        {
            byte? number = await link.AddPublisherAsync(life, Stream, Options.Name, cancellationToken).ConfigureAwait(false);
            life.Number = number ?? throw new StreamConnectionException($"The connection to {link.Endpoint} has as many producers as it can have.");
            if (isFirst && Options.Name is { } name)
            {
                (StreamResponseCode code, PublisherSequence known) =
                    await link.AskAsync<QueryPublisherSequence, PublisherSequence>(new QueryPublisherSequence { Reference = name, Stream = Stream }, cancellationToken).ConfigureAwait(false);
                Refusal.ThrowUnlessOk(code, $"to say what '{Stream}' has of the producer '{name}'");
                _sequence = known.Sequence;
            }

            Begin(life);
        }
        catch
        {
            await RemoveAsync(life, keepsNumber: false).ConfigureAwait(false);
            await _client.Links.ReturnAsync(link).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>A life has ended.</summary>
    internal void Ended(ProducerLife life, Exception reason)
    {
        lock (_gate)
        {
            // A link says so when it sends nothing of it any more, and does not ask it again.
            life.Reason = reason;
            life.SetIdle();
            if (_life != life)
            {
                return;
            }

            _life = null;
            _interruption = reason;
            if (_closed.IsCancellationRequested)
            {
                _retired ??= life;
            }
            else
            {
                _recovery = Task.Run(() => RecoverAsync(life, reason));
            }
        }
    }

    private void Begin(ProducerLife life)
    {
        lock (_gate)
        {
            if (life.Reason is { } reason)
            {
                throw new StreamConnectionException(reason.Message, reason);
            }

            if (_ended is not null)
            {
                // While it looked for its stream.
                throw new OperationCanceledException(_closed.Token);
            }

            // What is kept is sent again as it is. With a name, the broker leaves out what it has, and confirms it when it is safe: what it has stored
            // without having told so is better left to its own word, since a stored message may still be lost with the leader.
            _log.Rewind(life.Number, _ring.Head);
            bool supportsFilters = life.Link.Versions.TryGetValue(CommandKey.Publish, out ushort version) && version >= 2;
            (int size, ushort used) = _log.Largest();
            if (used >= 2 && !supportsFilters)
            {
                throw new StreamConnectionException($"{life.Link.Endpoint} does not know filter values, and messages with such are to be sent again: it takes RabbitMQ 3.13 or later.");
            }

            if (size > life.Link.FrameMax)
            {
                throw new StreamConnectionException($"{life.Link.Endpoint} takes frames of {life.Link.FrameMax} bytes, and one of {size} bytes is to be sent again: raise stream.frame_max at the broker.");
            }

            _supportsFilters = supportsFilters;
            _log.FrameMax = life.Link.FrameMax;
            _life = life;
            _interruption = null;
            _senderComes = true;
        }

        life.Wake();
    }

    private async Task RecoverAsync(ProducerLife lost, Exception reason)
    {
        // Until then the sender may read what is changed now.
        await lost.WaitForIdleAsync().ConfigureAwait(false);
        await _client.Links.ReturnAsync(lost.Link).ConfigureAwait(false);
        RecoveryOptions recovery = _client.Options.Recovery;
        if (!recovery.IsEnabled)
        {
            End(reason);
            return;
        }

        if (Options.Name is null && !recovery.ResendUnconfirmed)
        {
            FailSent(reason);
        }

        Tell(0, reason);
        var pauses = new Pauses(recovery);
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                await ConnectAsync(isFirst: false, _closed.Token).ConfigureAwait(false);
                Tell(attempt, null);
                return;
            }
            catch (OperationCanceledException) when (_closed.IsCancellationRequested)
            {
                return;
            }
            catch (Exception e) when (e is StreamException or IOException or TimeoutException)
            {
                // The stream may be made anew, and the node come back.
                Interrupt(e);
                Tell(attempt, e);
            }
            catch (Exception e)
            {
                End(e);
                return;
            }

            try
            {
                await pauses.WaitAsync(_closed.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                return;
            }
        }

        void Tell(int attempt, Exception? why) => _client.Options.Tell(new StreamRecovery(Stream, Options.Name, isProducer: true, attempt, why));
    }

    private void Interrupt(Exception reason)
    {
        lock (_gate)
        {
            _interruption = reason;
        }
    }

    // The broker may have them or not, and nothing would tell.
    private void FailSent(Exception reason)
    {
        var answered = new OperationQueue<PendingSend>();
        bool admits;
        lock (_gate)
        {
            FailUpTo(_log.TakenPosition, reason, ref answered);
            admits = MakeRoom();
        }

        Tell(ref answered, admits);
    }

    private void FailUpTo(ulong position, Exception reason, ref OperationQueue<PendingSend> answered)
    {
        while (_ring.Head < position)
        {
            var failed = new OperationQueue<PendingSend>();
            _ring.TakeFirst(ref failed, out ulong first, out ulong last);
            Fail(first, last, null, reason, ref failed);
            answered.Append(failed);
        }
    }

    // For good: all that waits fails, and nothing is sent any more.
    private void End(Exception reason)
    {
        var answered = new OperationQueue<PendingSend>();
        lock (_gate)
        {
            if (_ended is not null)
            {
                return;
            }

            _ended = reason;
            (ProducerLife? life, _life) = (_life, null);
            _retired ??= life;
            if (life is { IsSending: false })
            {
                life.SetIdle();
            }

            FailUpTo(_ring.Tail, reason, ref answered);
            FailRow(() => Lost(null, reason), ref answered);
            while (_flushes.TryDequeue(out var flush))
            {
                flush.Done.SetResult();
            }
        }

        // Where it looks for its stream, it need not any more.
        _closed.Cancel();
        Tell(ref answered, admits: false);
    }

    private void FailRow(Func<Exception> reason, ref OperationQueue<PendingSend> answered)
    {
        while (_row.TryTake() is { } waiting)
        {
            waiting.IsWaiting = false;
            if (waiting is WaitingFlush flush)
            {
                flush.Flushed.SetResult();
                continue;
            }

            waiting.Error = reason();
            answered.Add(waiting);
        }
    }
}

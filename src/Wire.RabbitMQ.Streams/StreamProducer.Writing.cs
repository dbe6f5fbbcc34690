using Wire.RabbitMQ.Streams.Producing;

namespace Wire.RabbitMQ.Streams;

/// <summary>How messages come into frames, and frames to the sender of the link. All under the lock.</summary>
public sealed partial class StreamProducer
{
    /// <summary>Writes a message into the open frame.</summary>
    /// <returns>Its publishing id.</returns>
    internal ulong Write<TContent>(in TContent content, in StreamSendOptions options, PendingSend? send)
        where TContent : struct, IMessageContent
    {
        ulong id = options.PublishingId ?? (Math.Max(_lastId, _sequence) + 1);
        if (options.PublishingId is not null || options.Filter is not null)
        {
            Check(in options, id);
        }

        bool isNew;
        _isWriting = true;
        try
        {
            _log.Begin(id, options.Filter);
            try
            {
                content.WriteTo(_log);
                isNew = _log.End();
            }
            catch
            {
                _log.Undo();
                throw;
            }
        }
        finally
        {
            _isWriting = false;
        }

        _lastId = id;
        if (isNew)
        {
            _ring.Add(id, send);
        }
        else
        {
            _ring.Extend(id, send);
        }

        return id;
    }

    /// <summary>The sender of the link can send.</summary>
    internal bool TryTake(ProducerLife life, out ReadOnlyMemory<byte> frames)
    {
        lock (_gate)
        {
            life.IsSending = false;
            if (_life != life)
            {
                life.SetIdle();
            }
            else if (_log.TryTake(out frames, withOpen: _linger is null || IsUrgent))
            {
                _isDue &= _log.HasOpen;
                life.IsSending = true;
                return true;
            }
            else
            {
                _senderComes = false;
                LingerWhereOpen();
            }

            frames = default;
            return false;
        }
    }

    private void Check(in StreamSendOptions options, ulong id)
    {
        if (options.PublishingId is not null)
        {
            if (Options.SubEntries is not null)
            {
                throw new ArgumentException($"A publishing id of one's own does not go together with {nameof(StreamProducerOptions.SubEntries)}: the broker compares only that of the last message of an entry.", nameof(options));
            }

            if (id > long.MaxValue)
            {
                throw new ArgumentException($"The publishing id {id} is larger than {long.MaxValue}: other clients read it as a negative one, and there would be none behind it.", nameof(options));
            }

            if (id <= _lastId)
            {
                throw new ArgumentException($"The publishing id {id} does not ascend: the message before had {_lastId}.", nameof(options));
            }
        }

        if (options.Filter is not null)
        {
            if (Options.SubEntries is not null)
            {
                throw new ArgumentException($"A filter value does not go together with {nameof(StreamProducerOptions.SubEntries)}: an entry has one at most.", nameof(options));
            }

            if (!_supportsFilters)
            {
                throw new NotSupportedException("The broker does not know filter values: it takes RabbitMQ 3.13 or later. Send the message without one.");
            }
        }
    }

    private void ThrowIfUnusable()
    {
        if (_isWriting)
        {
            throw new InvalidOperationException("A message is being written by this producer, and what serializes it wants to send another: send that before or after, or with another producer.");
        }

        if (_isClosing)
        {
            throw new ObjectDisposedException(nameof(StreamProducer), $"The producer of '{Stream}' has been closed: the message was not sent.");
        }

        if (_ended is not null)
        {
            throw Lost(null, _ended);
        }
    }

    private Waiting<TContent> Wait<TContent>(in TContent content, in StreamSendOptions options, bool untilConfirmed)
        where TContent : struct, IMessageContent
    {
        Waiting<TContent> waiting = Waiting<TContent>.Take(this, in content, in options, untilConfirmed);
        waiting.IsWaiting = true;
        _row.Add(waiting);
        return waiting;
    }

    // Whom to wake after something has been written; null where the sender comes anyway, or has to wait for more.
    private ProducerLife? TakeWake()
    {
        if (_senderComes || _life is null)
        {
            return null;
        }

        if (_linger is not null && !_log.HasReady && !IsUrgent)
        {
            LingerWhereOpen();
            return null;
        }

        if (!_log.HasReady && !_log.HasOpen)
        {
            return null;
        }

        _senderComes = true;
        return _life;
    }

    private void LingerWhereOpen()
    {
        if (_linger is not null && _log.HasOpen && !_isLingering)
        {
            _isLingering = true;
            _linger.Change(Options.Linger, Timeout.InfiniteTimeSpan);
        }
    }

    private void LingerIsOver()
    {
        ProducerLife? woken;
        lock (_gate)
        {
            _isLingering = false;
            _isDue = _log.HasOpen;
            woken = TakeWake();
        }

        woken?.Wake();
    }
}

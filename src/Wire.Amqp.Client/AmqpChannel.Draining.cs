using System.Diagnostics.CodeAnalysis;
using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Publishing;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client;

/// <summary>Writing what has waited for room, and the rest of what is too large to be gathered.</summary>
public sealed partial class AmqpChannel
{
    // False when nothing waits or there is no room: nobody drains any more then.
    private bool TryWriteNext(out Drained next)
    {
        next = default;
        lock (_gate)
        {
            if (_row.IsEmpty || !TryGetRoom(out ChannelLife? life))
            {
                _isDraining = false;
                return false;
            }

            Publication publication = _row.TryTake()!;
            publication.IsWaiting = false;
            Interlocked.Decrement(ref _waiting);
            next = new Drained(life!, publication) { IsDone = true };
            if (publication.IsAbandoned)
            {
                return true;
            }

            try
            {
                if (!TryWrite((UnwrittenPublication)publication, ref next))
                {
                    // The next life takes it, after what this one had.
                    var first = default(OperationQueue<Publication>);
                    first.Add(publication);
                    PutFirst(first);
                    _isDraining = false;
                    return false;
                }
            }
            catch (Exception e)
            {
                next.Error = publication.IsWritten ? AmqpPublishException.Unconfirmed(publication, e) : e;
            }

            return true;
        }
    }

    // With the gate. False when the life has ended and another one comes.
    private bool TryWrite(UnwrittenPublication publication, ref Drained next)
    {
        ChannelLife life = next.Life;
        AmqpBuffer output = life.Outbox.Open();
        long start = output.Length;
        MessageParts parts = publication.Write(output, life.Number, FramingOf(life, publication.Writing));

        if (IsFollowed(life))
        {
            output.Truncate(start);
            return false;
        }

        if (parts.IsAttached && !publication.TryHoldBuffer())
        {
            // Cancelled meanwhile: its task has ended, and its memory may not be used any more.
            output.Truncate(start);
            return true;
        }

        long bytes = output.Length - start;
        int inFlight = 0;
        if (life.Ring is { } ring)
        {
            Address(publication, in publication.Method, in publication.Properties);
            inFlight = ring.Add(publication);
        }

        if (parts.HasRest)
        {
            publication.Hold();
        }

        next.Parts = parts;
        next.Writing = publication.Writing;
        next.Signal = Commit(life, bytes, in parts, publication, publication.Writing, inFlight, out next.Mark);
        next.IsDone = !parts.HasRest && IsDone(in next);
        return true;
    }

    // With the gate. Whether neither a confirm nor the socket is waited for.
    private static bool IsDone(in Drained written) =>
        written.Life.Ring is null && (written.Writing != FrameWriting.Inline || !written.Life.Outbox.TryWait(written.Publication, written.Mark));

    private void WriteRest(ref Drained next)
    {
        var publication = (UnwrittenPublication)next.Publication;
        try
        {
            publication.WriteRest(next.Life, in next.Parts);
            lock (_gate)
            {
                next.Mark = next.Life.Outbox.Mark;
                next.IsDone = IsDone(in next);
            }

            next.Error = next.IsDone && next.Writing == FrameWriting.Inline ? SentOrEnded(next.Life, next.Mark) : null;
        }
        catch (Exception e)
        {
            next.Error = RestFailed(next.Life, publication, e);
            next.IsDone = next.Life.Ring is null;
        }
        finally
        {
            publication.LetGo();
        }
    }

    // On the thread of the publish, without the gate.
    private bool TryWriteRest<TContent>(
        ChannelLife life, in TContent content, in MessageParts parts, FrameWriting writing, Publication? publication, out long mark, [NotNullWhen(false)] out Exception? error)
        where TContent : struct, IContent
    {
        mark = 0;
        error = null;
        try
        {
            life.Outbox.Stream.Write(in content, in parts, life.Number, life.FrameMax, writing);
            lock (_gate)
            {
                mark = life.Outbox.Mark;
            }
        }
        catch (Exception e)
        {
            error = RestFailed(life, publication, e);
        }

        // What has come meanwhile waits in the row.
        RoomMade();
        return error is null;
    }

    // The message has been begun and cannot be ended: what follows would be taken for the rest of it. So the link ends, and the message is not sent
    // again, since it would fail again.
    private static Exception RestFailed(ChannelLife life, Publication? publication, Exception cause)
    {
        if (life.Channel.End is { } end)
        {
            return LinkChannel.Ended(end);
        }

        Link link = life.Channel.Link;
        var error = new AmqpConnectionException(
            $"The connection to {link.Endpoint} is ended, because a message that was being sent could not be written to its end and what was sent of it cannot be taken back; the broker drops it. {cause.Message}",
            cause);
        publication?.Settle(error);
        link.Lose(error);
        return error;
    }

    /// <summary>What has been taken from the row.</summary>
    private struct Drained(ChannelLife life, Publication publication)
    {
        public readonly ChannelLife Life = life;
        public readonly Publication Publication = publication;
        public MessageParts Parts;
        public FrameWriting Writing;
        public long Mark;
        public bool Signal;

        // Whether it waits for nothing any more, and how it has ended.
        public bool IsDone;
        public Exception? Error;
    }
}

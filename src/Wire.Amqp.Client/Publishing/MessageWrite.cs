using System.Diagnostics;
using Wire.Amqp.Bodies;
using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Connections;

namespace Wire.Amqp.Client.Publishing;

/// <summary>
/// The writing of one message, at once or after it has waited: started, then committed or undone, then ended.
/// </summary>
/// <remarks>In the channel's turn, unless stated otherwise.</remarks>
internal struct MessageWrite
{
    /// <summary>The session of the channel that it is written on.</summary>
    public readonly ChannelSession Session;

    /// <summary>The thread that sends it.</summary>
    public readonly FrameWriting Writing;

    /// <summary>The buffer that it is written into.</summary>
    public readonly AmqpBuffer Output;

    /// <summary>The part that has been written: the first one, where it is too large to be gathered.</summary>
    public MessageParts Parts;

    /// <summary>Gets the number of unconfirmed messages, itself among them; 0 without confirms.</summary>
    public int InFlight;

    /// <summary>Gets the position up to which everything is to be sent.</summary>
    public long Position;

    /// <summary>True if the writer has to be woken when the turn is over.</summary>
    public bool Signal;

    private readonly long _start;

    /// <summary>Begins it.</summary>
    public MessageWrite(ChannelSession session, FrameWriting writing)
    {
        Debug.Assert(session.SendQueue.Gate.IsHeldByCurrentThread, "Messages are written in the channel's turn.");
        Session = session;
        Writing = writing;
        Output = session.SendQueue.Open();
        _start = Output.Length;
    }

    /// <summary>Gets whether its rest is written by its publisher, which waits for the socket.</summary>
    public readonly bool IsStreamedInline => Parts.HasRest && Writing == FrameWriting.Inline;

    /// <summary>Says how it is divided into frames.</summary>
    public readonly BodyFraming FramingFor(long streamAbove) => new(Session.FrameMax, streamAbove, Writing == FrameWriting.Inline);

    /// <summary>Undoes it: it is not sent.</summary>
    public readonly void TakeBack() => Output.Truncate(_start);

    /// <summary>Commits it, or its first part, to be sent.</summary>
    /// <param name="publication">The publication that waits for it; null for none.</param>
    public void Commit(Publication? publication)
    {
        if (publication is not null && Session.Ring is { } ring)
        {
            publication.BodySize = Parts.BodySize;
            InFlight = ring.Add(publication);
        }

        long bytes = Output.Length - _start;
        bool lingers = Writing == FrameWriting.Background && Session.MayLinger(InFlight, bytes) && !Parts.HasRest;
        Signal = Session.SendQueue.Commit(bytes, lingers);
        if (lingers)
        {
            Session.Linger();
        }

        Position = Session.SendQueue.Position;
        if (Parts.HasRest)
        {
            Session.SendQueue.BeginStream(bytes);
        }

        if (Parts.IsAttached && publication is not null)
        {
            BufferHold.Start(publication, Session.SendQueue, Position);
        }
    }

    /// <summary>Returns whether neither a confirm nor the socket is waited for.</summary>
    public readonly bool IsDone(Publication publication) =>
        Session.Ring is null && (Writing != FrameWriting.Inline || !Session.SendQueue.TryWait(publication, Position));

    /// <summary>The error if it was not sent completely; null for success. Called on any thread if no caller waits for it.</summary>
    public readonly Exception? SentOrEnded() => Session.SendQueue.HasSent(Position) ? null : LinkChannel.Ended(Session.Channel.End!);

    /// <summary>
    /// It has been started and cannot be completed: the broker would take what follows for the rest of it. So the link ends, and the
    /// message is not sent again, since it would fail again. Without the turn.
    /// </summary>
    public readonly Exception RestFailed(Publication? publication, Exception cause)
    {
        if (Session.Channel.End is { } end)
        {
            return LinkChannel.Ended(end);
        }

        Link link = Session.Channel.Link;
        var error = new AmqpConnectionException(
            $"The connection to {link.Endpoint} was closed, because a message failed while it was being written and a part of it had " +
            $"been sent; the broker drops it. {cause.Message}",
            cause);
        publication?.Settle(error);
        link.Lose(error);
        return error;
    }
}

using Wire.Amqp.V091;

namespace Wire.Amqp.Testing;

/// <summary>A channel of a <see cref="ServerConnection"/>: the message that is being received, and what is to be confirmed.</summary>
internal sealed class ServerChannel : IDisposable
{
    private ContentReader _content = new();
    private ulong _received;
    private ulong _confirmed;

    /// <summary>Whether the client wants to know what has been received.</summary>
    public bool Confirms { get; set; }

    /// <summary>Whether more frames of a message are to come.</summary>
    public bool IsInMessage => _content.IsIncomplete;

    public void Dispose() => _content.Dispose();

    /// <summary>Takes a frame that belongs to a message.</summary>
    /// <returns>Whether the message is complete.</returns>
    public bool Add(in Frame frame)
    {
        if (frame.Type == FrameType.Method)
        {
            _content.BeginMessage(frame);
            return false;
        }

        if (_content.Add(frame))
        {
            _received++;
            return true;
        }

        return false;
    }

    /// <summary>
    /// Hands over the message that is complete, with the reader that holds what it consists of: its memory does not go back to the pool.
    /// </summary>
    public ContentReader TakeMessage()
    {
        ContentReader message = _content;
        _content = new ContentReader();
        return message;
    }

    /// <summary>Lets the input be released, although a message may not be complete.</summary>
    public void ReleaseInput()
    {
        if (_content.IsIncomplete)
        {
            _content.Keep();
        }
    }

    /// <summary>Whether messages have been received that the client has not been told of, and the number of the last one.</summary>
    public bool TakeConfirmed(out ulong tag)
    {
        tag = _received;
        bool any = Confirms && _received > _confirmed;
        _confirmed = _received;
        return any;
    }
}

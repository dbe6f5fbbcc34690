using System.Buffers;
using Wire.Amqp.V091;

namespace Wire.Amqp.Tests.Interop;

/// <summary>A channel of a <see cref="FakeConnection"/>: the message that is being received, and what is to be confirmed.</summary>
internal sealed class FakeChannel(bool discards)
{
    private readonly ArrayBufferWriter<byte> _body = new();
    private BasicPublish _method;
    private BasicProperties _properties;
    private ulong _bodyLeft;
    private ulong _received;
    private ulong _confirmed;

    /// <summary>Whether the client wants to know what has been received.</summary>
    public bool Confirms { get; set; }

    public void Publish(in Frame frame)
    {
        if (!discards)
        {
            _method = frame.ReadMethod<BasicPublish>();
        }
    }

    /// <summary>Takes the content header.</summary>
    /// <returns>Whether the message is complete.</returns>
    public bool Begin(in Frame frame)
    {
        ContentHeader header = frame.ReadContentHeader();
        _properties = discards ? default : header.Properties;
        _bodyLeft = header.BodySize;
        return _bodyLeft == 0;
    }

    /// <summary>Takes a part of the body.</summary>
    /// <returns>Whether the message is complete.</returns>
    public bool Add(in Frame frame)
    {
        if (!discards)
        {
            foreach (ReadOnlyMemory<byte> part in frame.Payload)
            {
                _body.Write(part.Span);
            }
        }

        _bodyLeft -= (ulong)frame.PayloadLength;
        return _bodyLeft == 0;
    }

    /// <summary>Hands over the message, unless it is discarded.</summary>
    public Published? End()
    {
        _received++;
        if (discards)
        {
            return null;
        }

        var message = new Published(_method, _properties, _body.WrittenSpan.ToArray());
        _body.ResetWrittenCount();
        return message;
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

using System.Buffers;
using Wire.Amqp.Primitives;
using Wire.Amqp.V091;
using Wire.Amqp.V091.Frames;

namespace Wire.Amqp.Bodies;

/// <summary>The target of a body: the bytes before it, and the sizes that are filled in after it.</summary>
internal interface IBodyTarget
{
    /// <summary>Writes the sections before the body, and returns the writer for the body.</summary>
    /// <param name="contentEncoding">How the body will be compressed; null for what the properties say.</param>
    IBufferWriter<byte> BeginBody(AmqpString contentEncoding);

    /// <summary>Writes memory of the caller, which stays unchanged until it has been sent.</summary>
    void Write(in ReadOnlySequence<byte> body);

    /// <summary>Fills in the sizes.</summary>
    /// <returns>How many bytes the body has.</returns>
    long EndBody();

    /// <summary>Undoes everything, so that it can begin again.</summary>
    void Undo();
}

/// <summary>The content header and the body frames of an AMQP 0-9-1 message.</summary>
internal ref struct Frames(AmqpBuffer output, ushort channel, ref BasicProperties properties, int frameMax, BodyWay way, long gatherAtMost)
    : IBodyTarget
{
    private readonly long _start = output.Length;
    private readonly ref BasicProperties _properties = ref properties;
    private readonly AmqpString _contentEncoding = properties.ContentEncoding;
    private Placeholder _bodySize;

    public IBufferWriter<byte> BeginBody(AmqpString contentEncoding)
    {
        if (!contentEncoding.IsNull)
        {
            _properties.ContentEncoding = contentEncoding;
        }

        Placeholder header =
            output.Reserve(FrameLayout.Checked(FrameWriter.SizeOfContentHeader(in _properties), frameMax, "the content header"));
        FrameWriter.WriteContentHeader(header.Span, channel, 0, in _properties);
        _bodySize = header[FrameLayout.BodySizeAt..];
        output.BodyFrames.BeginBody(channel, frameMax, way == BodyWay.Measure ? gatherAtMost : long.MaxValue);
        return output.BodyFrames;
    }

    public readonly void Write(in ReadOnlySequence<byte> body)
    {
        if (way == BodyWay.Attach)
        {
            output.BodyFrames.Attach(in body);
        }
        else
        {
            output.BodyFrames.Write(in body);
        }
    }

    public readonly long EndBody()
    {
        BodyFrames frames = output.BodyFrames;
        frames.Finish();
        NetworkOrder.Write(_bodySize.Span, frames.Total);
        return frames.Total;
    }

    public readonly void Undo()
    {
        output.Truncate(_start);
        _properties.ContentEncoding = _contentEncoding;
    }
}

/// <summary>Only a body, for a message that is made elsewhere.</summary>
internal struct Alone(BodyBuffer output) : IBodyTarget
{
    private readonly int _start = output.Length;

    /// <summary>Gets the compression of the body; null for none.</summary>
    public string? ContentEncoding { get; private set; }

    public IBufferWriter<byte> BeginBody(AmqpString contentEncoding)
    {
        ContentEncoding = contentEncoding.IsNull ? null : contentEncoding.ToString();
        return output;
    }

    public readonly void Write(in ReadOnlySequence<byte> body)
    {
        foreach (ReadOnlyMemory<byte> part in body)
        {
            output.Write(part.Span);
        }
    }

    public readonly long EndBody() => output.Length - _start;

    public readonly void Undo() => output.Truncate(_start);
}

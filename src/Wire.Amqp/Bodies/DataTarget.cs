using System.Buffers;
using Wire.Amqp.Primitives;
using Wire.Amqp.V10;
using Wire.Amqp.V10.Values;

namespace Wire.Amqp.Bodies;

/// <summary>The properties and the data section of an AMQP 1.0 message.</summary>
internal ref struct DataTarget(AmqpBuffer output, ref Properties properties, in ApplicationProperties applicationProperties) : IBodyTarget
{
    // The bytes saved by a section prefix with a one-byte length, and the longest such section.
    private const int Shorter = sizeof(uint) - sizeof(byte);
    private const int MaxShort = byte.MaxValue;

    // The most that a serializer asks for at first: a short body is contiguous with its prefix, so the prefix can be moved up to it.
    private const int FirstWindow = 512;

    private readonly long _start = output.Length;
    private readonly ref Properties _properties = ref properties;
    private readonly ref readonly ApplicationProperties _applicationProperties = ref applicationProperties;
    private Placeholder _prefix;
    private long _body;

    public IBufferWriter<byte> BeginBody(AmqpString contentEncoding)
    {
        _properties.ContentEncoding = new AmqpSymbol(contentEncoding);
        MessageWriter.Write(output, in _properties);
        if (_applicationProperties.Map.Count > 0)
        {
            MessageWriter.Write(output, in _applicationProperties);
        }

        output.GetSpan(DataSection.Prefix.Length + FirstWindow);
        _prefix = output.Reserve(DataSection.Prefix.Length);
        DataSection.Prefix.CopyTo(_prefix.Span);
        _body = output.Length;
        return output;
    }

    public readonly void Write(in ReadOnlySequence<byte> body)
    {
        foreach (ReadOnlyMemory<byte> part in body)
        {
            output.Write(part.Span);
        }
    }

    public readonly long EndBody()
    {
        long length = output.Length - _body;
        if (length <= MaxShort && output.IsContiguousSince(_body))
        {
            Span<byte> section = _prefix.Array.AsSpan(_prefix.Start, _prefix.Length + (int)length);
            section[DataSection.LengthSlot - 1] = Constructor.Binary8;
            section[DataSection.LengthSlot] = (byte)length;
            section[DataSection.Prefix.Length..].CopyTo(section[(DataSection.Prefix.Length - Shorter)..]);
            output.Truncate(output.Length - Shorter);
        }
        else
        {
            NetworkOrder.Write(_prefix.Span[DataSection.LengthSlot..], checked((uint)length));
        }

        return length;
    }

    public readonly void Undo() => output.Truncate(_start);
}

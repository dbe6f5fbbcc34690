using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.Bodies;
using Wire.Amqp.V10;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>The sections of an AMQP 1.0 message from its properties to the data, written into a frame.</summary>
internal ref struct LogTarget(PublishLog output, ref Properties properties, in ApplicationProperties applicationProperties) : IBodyTarget
{
    private readonly int _start = output.Written;
    private readonly ref Properties _properties = ref properties;
    private readonly ref readonly ApplicationProperties _applicationProperties = ref applicationProperties;
    private int _section;

    public IBufferWriter<byte> BeginBody(AmqpString contentEncoding)
    {
        _properties.ContentEncoding = new AmqpSymbol(contentEncoding);
        MessageWriter.Write(output, in _properties);
        if (_applicationProperties.Map.Count > 0)
        {
            MessageWriter.Write(output, in _applicationProperties);
        }

        _section = output.BeginData();
        return output;
    }

    public readonly void Write(in ReadOnlySequence<byte> body)
    {
        foreach (ReadOnlyMemory<byte> part in body)
        {
            output.Write(part.Span);
        }
    }

    public readonly long EndBody() => output.EndData(_section);

    public readonly void Undo() => output.Truncate(_start);
}

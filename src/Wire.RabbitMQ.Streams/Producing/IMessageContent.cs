using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.V10;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>The content of a message.</summary>
internal interface IMessageContent
{
    /// <summary>Writes it. If it throws, the written bytes are undone.</summary>
    void WriteTo(PublishLog output);
}

/// <summary>Bytes, unchanged.</summary>
internal readonly struct RawContent(ReadOnlyMemory<byte> bytes) : IMessageContent
{
    public void WriteTo(PublishLog output) => output.Write(bytes.Span);
}

/// <summary>An object as a Wire payload alone.</summary>
internal readonly struct WireContent<T>(Serializer serializer, T value) : IMessageContent
{
    public void WriteTo(PublishLog output) => serializer.Serialize(value, output);
}

/// <summary>An object as the data section of an AMQP 1.0 message without others.</summary>
internal readonly struct DataContent<T>(Serializer serializer, T value) : IMessageContent
{
    public void WriteTo(PublishLog output)
    {
        int section = output.BeginData();
        serializer.Serialize(value, output);
        output.EndData(section);
    }
}

/// <summary>An object as the data section of an AMQP 1.0 message with properties.</summary>
internal readonly struct MessageContent<T>(AmqpBody body, T value, in Properties properties, in ApplicationProperties applicationProperties)
    : IMessageContent
{
    private readonly Properties _properties = properties;
    private readonly ApplicationProperties _applicationProperties = applicationProperties;

    public void WriteTo(PublishLog output)
    {
        Properties own = body.Describe(in _properties, value);
        var target = new LogTarget(output, ref own, in _applicationProperties);
        body.WriteBody(ref target, value);
    }
}

/// <summary>The output of a callback, such as sections.</summary>
internal readonly struct CallbackContent<TState>(TState state, Action<IBufferWriter<byte>, TState> write) : IMessageContent
{
    public void WriteTo(PublishLog output) => write(output, state);
}

using System.Buffers;
using System.Diagnostics;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams.Diagnostics;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>The content of a message.</summary>
internal interface IMessageContent
{
    /// <summary>Gets whether it has a span already.</summary>
    static virtual bool IsTraced => false;

    /// <summary>Writes it. If it throws, the written bytes are undone.</summary>
    void WriteTo(PublishLog output);

    /// <summary>Writes it with the context of a span, where there is a place for that.</summary>
    void WriteTo(PublishLog output, Activity span) => WriteTo(output);
}

/// <summary>A message with the span that publishes it.</summary>
internal readonly struct TracedContent<TContent>(in TContent content, Activity? span) : IMessageContent
    where TContent : struct, IMessageContent
{
    private readonly TContent _content = content;

    public static bool IsTraced => true;

    public void WriteTo(PublishLog output)
    {
        if (span is null)
        {
            _content.WriteTo(output);
        }
        else
        {
            _content.WriteTo(output, span);
        }
    }
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

    public void WriteTo(PublishLog output, Activity span)
    {
        MessageWriter.Write(output, TraceContext.Inject(span, default));
        WriteTo(output);
    }
}

/// <summary>An object as the data section of an AMQP 1.0 message with properties.</summary>
internal readonly struct MessageContent<T>(AmqpBody body, T value, in Properties properties, in ApplicationProperties applicationProperties)
    : IMessageContent
{
    private readonly Properties _properties = properties;
    private readonly ApplicationProperties _applicationProperties = applicationProperties;

    public void WriteTo(PublishLog output) => WriteTo(output, in _applicationProperties);

    public void WriteTo(PublishLog output, Activity span)
    {
        ApplicationProperties traced = TraceContext.Inject(span, in _applicationProperties);
        WriteTo(output, in traced);
    }

    private void WriteTo(PublishLog output, in ApplicationProperties applicationProperties)
    {
        Properties own = body.Describe(in _properties, value);
        var target = new LogTarget(output, ref own, in applicationProperties);
        body.WriteBody(ref target, value);
    }
}

/// <summary>The output of a callback, such as sections.</summary>
internal readonly struct CallbackContent<TState>(TState state, Action<IBufferWriter<byte>, TState> write) : IMessageContent
{
    public void WriteTo(PublishLog output) => write(output, state);
}

using System.Buffers;
using Wire.Amqp.V10;

namespace Wire.Amqp;

public sealed partial class AmqpBody
{
    /// <summary>
    /// Writes the sections of an AMQP 1.0 message from its properties to its body: properties, application properties where there are any, and one
    /// data section with the object. A header or annotations are written before, a footer behind.
    /// </summary>
    /// <param name="output">The transport's buffer. After a failure it is as it was before.</param>
    /// <param name="properties">The properties. Content type and subject are filled in where they are absent, the content encoding always.</param>
    /// <param name="applicationProperties">The application properties; those without any are not written.</param>
    /// <param name="value">The object; may be null.</param>
    /// <exception cref="ArgumentException">
    /// A property has a value that it cannot have, or the object cannot be serialized: then it is one of the serializer's exceptions.
    /// </exception>
    /// <exception cref="InvalidOperationException">A message is being written to the buffer already: this is called by what serializes its body.</exception>
    public void Write<T>(AmqpBuffer output, in Properties properties, in ApplicationProperties applicationProperties, T value)
    {
        ArgumentNullException.ThrowIfNull(output);
        long start = output.BeginMessage();
        try
        {
            Properties own = Describe(in properties, value);
            var target = new DataTarget(output, ref own, in applicationProperties);
            WriteBody(ref target, value);
        }
        catch
        {
            output.Truncate(start);
            throw;
        }
        finally
        {
            output.EndMessage();
        }
    }

    /// <summary>Reads the object that the data section of an AMQP 1.0 message holds.</summary>
    /// <param name="properties">The properties that came with it.</param>
    /// <param name="data">The section.</param>
    /// <exception cref="AmqpFormatException">The content type is given and another, the content encoding unknown, or the compressed body damaged or too large.</exception>
    /// <exception cref="WireFormatException">The body is no Wire payload, or holds what the serializer refuses.</exception>
    public T? Read<T>(in Properties properties, in DataSection data) => Read<T>(properties.ContentType.Text, properties.ContentEncoding.Text, in data.Bytes);

    /// <summary>The properties with what they say of the body.</summary>
    internal Properties Describe<T>(in Properties properties, T value)
    {
        Properties own = properties;
        own.ContentEncoding = default;
        if (own.ContentType.IsNull)
        {
            own.ContentType = new AmqpSymbol(EncodedContentType);
        }

        if (own.Subject.IsNull)
        {
            own.Subject = _typeNames.Of(value?.GetType() ?? typeof(T)).Text;
        }

        return own;
    }
}

/// <summary>The properties and the data section of an AMQP 1.0 message.</summary>
internal ref struct DataTarget(AmqpBuffer output, ref Properties properties, in ApplicationProperties applicationProperties) : IBodyTarget
{
    // How much shorter the prefix of a section is whose length takes one byte, and the longest of these.
    private const int Shorter = sizeof(uint) - sizeof(byte);
    private const int MaxShort = byte.MaxValue;

    // What a serializer asks for at first, at the most: a short body is contiguous with its prefix, so that this can be moved up to it.
    private const int FirstWindow = 512;

    private readonly long _start = output.Length;
    private readonly ref Properties _properties = ref properties;
    private readonly ref readonly ApplicationProperties _applicationProperties = ref applicationProperties;
    private Slot _prefix;
    private long _body;

    public IBufferWriter<byte> Begin(AmqpString contentEncoding)
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

    public readonly long End()
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

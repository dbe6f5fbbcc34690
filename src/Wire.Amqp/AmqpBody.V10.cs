using Wire.Amqp.Bodies;
using Wire.Amqp.V10;

namespace Wire.Amqp;

public sealed partial class AmqpBody
{
    /// <summary>
    /// Writes the sections of an AMQP 1.0 message from its properties to its body: properties, application properties where there are any,
    /// and one data section with the object. A header or annotations are written before it, a footer after it.
    /// </summary>
    /// <param name="output">The transport's buffer; unchanged after a failure.</param>
    /// <param name="properties">
    /// The properties. Content type and subject are filled in if absent, the content encoding always.
    /// </param>
    /// <param name="applicationProperties">The application properties; those without any are not written.</param>
    /// <param name="value">The object; may be null.</param>
    /// <exception cref="ArgumentException">
    /// A property has a value that it cannot have, the content type is of other bodies, or the object cannot be serialized: then it is one
    /// of the serializer's exceptions.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// A message is being written to the buffer already: the call comes from the serialization of its body.
    /// </exception>
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
    /// <exception cref="AmqpFormatException">
    /// The content type is another one, the content encoding is unknown, or the compressed body is damaged or too large.
    /// </exception>
    /// <exception cref="WireFormatException">The body is not a Wire payload, or contains a refused type or value.</exception>
    public T? Read<T>(in Properties properties, in DataSection data) =>
        Read<T>(properties.ContentType.Text, properties.ContentEncoding.Text, in data.Bytes);

    /// <summary>Asks a condition about the data section of an AMQP 1.0 message, without reading its object.</summary>
    /// <param name="properties">The properties that came with it.</param>
    /// <param name="data">The section.</param>
    /// <param name="condition">The condition.</param>
    /// <returns>
    /// What the condition says; true where the content type is that of other bodies, or the body does not begin like a payload: it is not
    /// asked about these.
    /// </returns>
    /// <exception cref="AmqpFormatException">
    /// The content encoding is unknown, or the compressed body is damaged or too large.
    /// </exception>
    public bool Meets(in Properties properties, in DataSection data, PayloadCondition condition) =>
        Meets(properties.ContentType.Text, properties.ContentEncoding.Text, in data.Bytes, condition);

    /// <summary>The properties, completed for the body.</summary>
    internal Properties Describe<T>(in Properties properties, T value)
    {
        Properties own = properties;
        own.ContentEncoding = default;
        own.ContentType = new AmqpSymbol(Described(own.ContentType.Text));

        if (own.Subject.IsNull)
        {
            own.Subject = _typeNames.GetName(value?.GetType() ?? typeof(T)).Text;
        }

        return own;
    }
}

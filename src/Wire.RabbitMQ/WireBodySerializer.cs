using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using Wire.Amqp;

namespace Wire.RabbitMQ;

/// <summary>
/// Objects as the bodies of messages, for any code that has a channel of RabbitMQ.Client. Thread-safe: make one and use it everywhere.
/// </summary>
/// <remarks>
/// A message says with its content type that its body is a Wire payload, with its content encoding how it is compressed, and with its type
/// the full name of the object's type, for other clients to route by. The body itself names its types, so that a reader needs none of these,
/// and reads only what the serializer's <see cref="SerializerOptions.TypeFilter"/> allows.
/// </remarks>
public sealed class WireBodySerializer
{
    // Of this process, and of no other.
    private static readonly string MessageIdPrefix = Base64Url.EncodeToString(Guid.NewGuid().ToByteArray()) + "-";

    private static long _lastMessageId;

    private readonly AmqpBodyOptions? _bodyOptions;

    /// <summary>Makes bodies with a serializer.</summary>
    /// <param name="serializer">What writes and reads the objects.</param>
    /// <param name="options">How bodies are compressed; not at all when left out.</param>
    /// <exception cref="ArgumentOutOfRangeException">An option is out of range.</exception>
    public WireBodySerializer(Serializer serializer, AmqpBodyOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        Serializer = serializer;
        _bodyOptions = options;
        Body = new AmqpBody(serializer, options);
    }

    /// <summary>Makes bodies with a serializer that is made with these options.</summary>
    /// <param name="serializer">The serializer's options.</param>
    /// <param name="options">How bodies are compressed; not at all when left out.</param>
    /// <exception cref="ArgumentException">An option is out of range, or the serializer's options contradict each other.</exception>
    public WireBodySerializer(SerializerOptions serializer, AmqpBodyOptions? options = null)
        : this(new Serializer(serializer), options)
    {
    }

    /// <summary>What writes and reads the objects.</summary>
    public Serializer Serializer { get; }

    /// <summary>What writes bodies into frames.</summary>
    internal AmqpBody Body { get; }

    /// <summary>Writes an object as a body, and what has to be said of it as properties.</summary>
    /// <param name="value">The object; may be null.</param>
    /// <param name="properties">
    /// The message's properties, which are filled in and used as they are; new ones when left out. Content type and content encoding are set
    /// always; type, message id and timestamp where they are absent.
    /// </param>
    /// <returns>The body in pooled memory, to be disposed of when the message has been published, and not before.</returns>
    /// <exception cref="ObjectGraphException">The object refers to itself, is nested too deeply or is beyond another limit.</exception>
    /// <exception cref="UnsupportedTypeException">The object holds something of a type that the serializer does not support.</exception>
    public WireBody Write<T>(T value, BasicProperties? properties = null)
    {
        properties ??= new BasicProperties();
        BodyBuffer buffer = WireBody.TakeBuffer();
        try
        {
            properties.ContentEncoding = WriteBody(buffer, value);
            Describe(value, properties);
            return new WireBody(buffer, properties);
        }
        catch
        {
            WireBody.PutBack(buffer);
            throw;
        }
    }

    /// <summary>Reads the object that a delivered message has as its body, where it lies: nothing is copied.</summary>
    /// <param name="delivery">The delivery, during its event.</param>
    /// <exception cref="AmqpFormatException">The content type is given and another, the content encoding unknown, or the compressed body damaged or too large.</exception>
    /// <exception cref="WireFormatException">The body is no Wire payload, or holds what the serializer refuses.</exception>
    public T? Read<T>(BasicDeliverEventArgs delivery)
    {
        ArgumentNullException.ThrowIfNull(delivery);
        return Read<T>(delivery.BasicProperties, delivery.Body);
    }

    /// <summary>Reads the object that a message fetched with basic.get has as its body.</summary>
    /// <param name="message">The message.</param>
    /// <exception cref="AmqpFormatException">The content type is given and another, the content encoding unknown, or the compressed body damaged or too large.</exception>
    /// <exception cref="WireFormatException">The body is no Wire payload, or holds what the serializer refuses.</exception>
    public T? Read<T>(BasicGetResult message)
    {
        ArgumentNullException.ThrowIfNull(message);
        return Read<T>(message.BasicProperties, message.Body);
    }

    /// <summary>Reads an object from a body.</summary>
    /// <param name="properties">The properties that came with it.</param>
    /// <param name="body">The body.</param>
    /// <exception cref="AmqpFormatException">The content type is given and another, the content encoding unknown, or the compressed body damaged or too large.</exception>
    /// <exception cref="WireFormatException">The body is no Wire payload, or holds what the serializer refuses.</exception>
    public T? Read<T>(IReadOnlyBasicProperties properties, ReadOnlyMemory<byte> body)
    {
        ArgumentNullException.ThrowIfNull(properties);
        return Read<T>(properties, new ReadOnlySequence<byte>(body));
    }

    /// <summary>Reads an object from a body, in as many pieces as it came in.</summary>
    internal T? Read<T>(IReadOnlyBasicProperties properties, in ReadOnlySequence<byte> body)
    {
        (string? contentType, string? contentEncoding) = (properties.ContentType, properties.ContentEncoding);
        var said = new Amqp.V091.BasicProperties
        {
            ContentType = string.IsNullOrEmpty(contentType) ? default : contentType,
            ContentEncoding = string.IsNullOrEmpty(contentEncoding) ? default : contentEncoding,
        };
        return Body.Read<T>(in said, in body);
    }

    /// <summary>Writes an object behind what is in a buffer.</summary>
    /// <returns>The content encoding that the message has to name; null for none.</returns>
    internal string? WriteBody<T>(BodyBuffer output, T value) => Body.Write(output, value);

    /// <summary>Says of an object as properties what can be said before it is written: all but the content encoding.</summary>
    internal void Describe<T>(T value, BasicProperties properties)
    {
        properties.ContentType = AmqpBody.ContentType;
        properties.Type ??= Body.TypeName(value?.GetType() ?? typeof(T));
        properties.MessageId ??= NextMessageId();
        if (!properties.IsTimestampPresent())
        {
            properties.Timestamp = new AmqpTimestamp(DateTimeOffset.UtcNow.ToUnixTimeSeconds());
        }
    }

    /// <summary>The same, with more types that a payload may name.</summary>
    internal WireBodySerializer Allowing(IEnumerable<Type> types)
    {
        SerializerOptions options = Serializer.Options;
        TypeFilter filter = types.Aggregate(options.TypeFilter, (filter, type) => filter.Allow(type));
        return new WireBodySerializer(new Serializer(options with { TypeFilter = filter }), _bodyOptions);
    }

    // Unique without asking the system for random bytes each time.
    private static string NextMessageId() => string.Create(CultureInfo.InvariantCulture, $"{MessageIdPrefix}{Interlocked.Increment(ref _lastMessageId):x}");
}

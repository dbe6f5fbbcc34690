using System.Buffers;
using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Types;
using Wire.Runtime;

namespace Wire.RabbitMQ;

/// <summary>
/// Writes and reads objects as the bodies of messages; <see cref="ChannelExtensions"/> has it for code on channels of RabbitMQ.Client.
/// Thread-safe: make one and use it everywhere.
/// </summary>
/// <remarks>
/// The content type of a message marks its body as a Wire payload, the content encoding names the compression, and the type is the full
/// name of the object's type, for other clients to route by. The body itself names its types, so that a reader needs none of these, and
/// reads only what the serializer's <see cref="SerializerOptions.TypeFilter"/> allows. Bodies of other content types are read by <see
/// cref="Reading"/>, and written by <see cref="Writing"/>.
/// </remarks>
public sealed class WireBodySerializer
{
    private readonly AmqpBodyOptions? _bodyOptions;
    private ImmutableArray<IBodyReader> _readers = [];

    // By the types that they are for; null where all bodies are Wire payloads.
    private TypeTable<IBodyFormat>? _formats;
    private BodyTypes _types = BodyTypes.None;

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
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public WireBodySerializer(SerializerOptions serializer, AmqpBodyOptions? options = null)
        : this(new Serializer(serializer), options)
    {
    }

    /// <summary>Gets the serializer of the objects.</summary>
    public Serializer Serializer { get; }

    /// <summary>Makes a copy that reads bodies of another format as well, where those that were added before do not.</summary>
    /// <param name="reader">What reads them.</param>
    public WireBodySerializer Reading(IBodyReader reader)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return Copy(this, _readers.Add(reader), _formats, _types);
    }

    /// <summary>
    /// Makes a copy that writes objects of a type in another format, and reads bodies of that as well. Of several formats an object has the
    /// one of its class, the nearest base class or the most derived interface. Such bodies are not compressed.
    /// </summary>
    /// <typeparam name="T">The type; <see cref="object"/> for all.</typeparam>
    /// <param name="format">What writes them.</param>
    /// <exception cref="ArgumentException">There is a format for this type already.</exception>
    public WireBodySerializer Writing<T>(IBodyFormat format)
    {
        ArgumentNullException.ThrowIfNull(format);
        var formats = new TypeTable<IBodyFormat>(_formats);
        if (!formats.TryAdd(typeof(T), format))
        {
            throw new ArgumentException($"There is already a format for {typeof(T)}: each object is written in one.");
        }

        return Copy(this, _readers.Contains(format) ? _readers : _readers.Add(format), formats, _types);
    }

    /// <summary>Gets the writer of bodies into frames.</summary>
    internal AmqpBody Body { get; }

    /// <summary>Gets whether it reads bodies that are no Wire payloads.</summary>
    internal bool HasReaders => !_readers.IsEmpty;

    /// <summary>Gets whether it writes some.</summary>
    internal bool HasFormats => _formats is not null;

    /// <summary>Reads a body of any format.</summary>
    /// <exception cref="BodyTypeException">It names a type that is not allowed.</exception>
    /// <inheritdoc cref="AmqpBody.Read{T}(in BasicProperties, in ReadOnlySequence{byte})"/>
    internal T? Read<T>(in BasicProperties properties, in ReadOnlySequence<byte> body) =>
        ReaderOf(in properties) is { } reader ? Read<T>(reader, in properties, in body) : Body.Read<T>(in properties, in body);

    /// <summary>Reads a body of any format; a Wire payload into an object that is chosen by its type.</summary>
    /// <inheritdoc cref="AmqpBody.Read(in BasicProperties, in ReadOnlySequence{byte}, Func{Type, object})"/>
    internal object? Read(in BasicProperties properties, in ReadOnlySequence<byte> body, Func<Type, object?> into) =>
        ReaderOf(in properties) is { } reader
            ? Read<object>(reader, in properties, in body)
            : Body.Read(in properties, in body, into);

    /// <summary>Asks a condition about a body; true for one that is no Wire payload.</summary>
    /// <inheritdoc cref="AmqpBody.Meets(in BasicProperties, in ReadOnlySequence{byte}, PayloadCondition)"/>
    internal bool Meets(in BasicProperties properties, in ReadOnlySequence<byte> body, PayloadCondition condition) =>
        ReaderOf(in properties) is not null || Body.Meets(in properties, in body, condition);

    /// <summary>Writes a body that is no Wire payload, and completes its properties.</summary>
    /// <param name="message">The object.</param>
    /// <param name="properties">Its properties.</param>
    /// <param name="declared">The type that it was published as, where it is null.</param>
    /// <returns>The body, to be put back when it has been published; null where it is to be a Wire payload.</returns>
    internal BodyBuffer? WriteOther<T>(T message, ref BasicProperties properties, Type? declared = null) =>
        FormatOf(message, declared) is { } format ? Write(message, ref properties, declared, format) : null;

    /// <summary>Writes a body in the format of its type, and completes its properties.</summary>
    /// <param name="message">The object.</param>
    /// <param name="properties">Its properties.</param>
    /// <param name="declared">The type that it was published as, where it is null.</param>
    /// <returns>The body, to be put back.</returns>
    internal BodyBuffer WriteAny<T>(T message, ref BasicProperties properties, Type? declared) =>
        Write(message, ref properties, declared, FormatOf(message, declared));

    /// <summary>Gets the number of bytes that a body may grow to when it is read.</summary>
    internal long MaxGrownBytes => (_bodyOptions ?? AmqpBodyOptions.Default).MaxDecompressedBytes;

    /// <summary>Makes a copy that allows more types.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
    internal WireBodySerializer Allowing(IReadOnlyCollection<Type> types)
    {
        SerializerOptions options = Serializer.Options;
        WireTypeFilter filter = types.Aggregate(options.TypeFilter, (filter, type) => filter.Allow(type));
        var allowing = new WireBodySerializer(new Serializer(options with { TypeFilter = filter }), _bodyOptions);
        return Copy(allowing, _readers, _formats, BodyTypes.Of(types));
    }

    private static WireBodySerializer Copy(
        WireBodySerializer of, ImmutableArray<IBodyReader> readers, TypeTable<IBodyFormat>? formats, BodyTypes types) =>
        new(of.Serializer, of._bodyOptions) { _readers = readers, _formats = formats, _types = types };

    private static bool IsCharacterSet(AmqpString contentEncoding) =>
        contentEncoding.ToString().ToUpperInvariant() is "UTF-8" or "UTF8" or "US-ASCII" or "ASCII" or "BINARY" or "8BIT" or "7BIT";

    // Null for a Wire payload. A null of no type, as that of an error reply, is in no other format.
    private IBodyFormat? FormatOf<T>(T message, Type? declared) =>
        _formats is null || (message is null && (declared ?? typeof(T)) == typeof(object))
            ? null
            : _formats.Find(message?.GetType() ?? declared ?? typeof(T));

    private BodyBuffer Write<T>(T message, ref BasicProperties properties, Type? declared, IBodyFormat? format)
    {
        BodyBuffer buffer = WireBody.TakeBuffer();
        try
        {
            properties.Type = properties.Type.IsNull
                ? AmqpBody.TypeName(message?.GetType() ?? declared ?? typeof(T)) : properties.Type;
            if (format is null)
            {
                properties.ContentEncoding = Body.Write(buffer, message);
                properties.ContentType = AmqpBody.ContentType;
            }
            else
            {
                format.Write(message, ref properties, buffer);
            }

            return buffer;
        }
        catch
        {
            WireBody.PutBack(buffer);
            throw;
        }
    }

    // Null for a Wire payload.
    private IBodyReader? ReaderOf(in BasicProperties properties)
    {
        if (!HasReaders || AmqpBody.IsContentType(properties.ContentType))
        {
            return null;
        }

        foreach (IBodyReader reader in _readers)
        {
            if (reader.Reads(in properties))
            {
                return reader;
            }
        }

        return null;
    }

    private T? Read<T>(IBodyReader reader, in BasicProperties properties, in ReadOnlySequence<byte> body)
    {
        BodyTypes types = _types == BodyTypes.None ? BodyTypes.Expecting<T>() : _types;
        using var plain = new AmqpBuffer();

        // Some clients name a character set there.
        ReadOnlySequence<byte> bytes = properties.ContentEncoding.IsEmpty || IsCharacterSet(properties.ContentEncoding)
            ? body
            : Body.Decompress(properties.ContentEncoding, in body, plain);
        return reader.Read(in properties, in bytes, types) switch
        {
            null => default,
            T message => message,
            { } other => throw new BodyTypeException(
                $"The body has become an object of {other.GetType()}, and one of {typeof(T)} is expected."),
        };
    }
}

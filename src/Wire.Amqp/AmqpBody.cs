using System.Buffers;
using System.Text;
using Wire.Amqp.Bodies;
using Wire.Amqp.Errors;
using Wire.Amqp.V091;
using Wire.Amqp.V10.Values;

namespace Wire.Amqp;

/// <summary>
/// Wire objects as the bodies of messages: written directly into the frames of the transport's buffer, and read from the received parts of
/// a body. Thread-safe: make one and use it everywhere.
/// </summary>
/// <remarks>
/// The content type of a message, <see cref="ContentType"/>, marks its body as a Wire payload, the content encoding names the compression,
/// and the type is the full name of the object's type, for other clients to route by. The body itself names its types, as every Wire
/// payload does, so that a reader needs none of these.
/// </remarks>
public sealed partial class AmqpBody
{
    /// <summary>The content type of a Wire body.</summary>
    public const string ContentType = "application/x-wire";

    private const string SectionType = "amqp-1.0";

    // The buffer for bodies before compression or after decompression. A nested call on the same thread makes its own.
    [ThreadStatic]
    private static AmqpBuffer? _threadScratch;

    // In encoded form, so that it is not encoded for each message.
    private static readonly AmqpString EncodedContentType = new(Encoding.ASCII.GetBytes(ContentType));

    private readonly BodyTypeNames _typeNames = new();
    private readonly Serializer _serializer;
    private readonly AmqpBodyOptions _options;
    private readonly ContentEncoding? _encoding;

    /// <summary>Makes bodies with a serializer.</summary>
    /// <param name="serializer">What writes and reads the objects.</param>
    /// <param name="options">How bodies are compressed; not at all when left out.</param>
    /// <exception cref="ArgumentOutOfRangeException">An option is out of range.</exception>
    public AmqpBody(Serializer serializer, AmqpBodyOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        _serializer = serializer;
        _options = options ?? AmqpBodyOptions.Default;
        _encoding = ContentEncoding.ForCompression(_options.Compression);
        ArgumentOutOfRangeException.ThrowIfNegative(_options.CompressAbove, nameof(options));
        ArgumentOutOfRangeException.ThrowIfLessThan(_options.MaxDecompressedBytes, 1, nameof(options));
    }

    /// <summary>
    /// Returns whether a content type marks a body as a Wire payload: <see cref="ContentType"/>, in any case and with any parameters.
    /// </summary>
    public static bool IsContentType(AmqpString contentType) => MediaTypeName.Matches(contentType, ContentType);

    /// <summary>
    /// Writes a whole AMQP 0-9-1 message: the frames of a method that has a content, such as <see cref="BasicPublish"/>, of the content
    /// header and of the body, split at frame-max.
    /// </summary>
    /// <param name="output">The transport's buffer; unchanged after a failure.</param>
    /// <param name="channel">The channel.</param>
    /// <param name="method">The method.</param>
    /// <param name="properties">
    /// The properties. Content type and type are filled in where they are absent, the content encoding always.
    /// </param>
    /// <param name="value">The object; may be null.</param>
    /// <param name="frameMax">The largest frame, as negotiated by connection.tune; 0 for no limit.</param>
    /// <exception cref="ArgumentException">
    /// An argument or property does not fit its domain, the content type is of other bodies, or the object cannot be serialized: then it is
    /// one of the serializer's exceptions.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// A message is being written to the buffer already: the call comes from the serialization of its body.
    /// </exception>
    public void Write<TMethod, T>(
        AmqpBuffer output, ushort channel, in TMethod method, in BasicProperties properties, T value, int frameMax)
        where TMethod : struct, IMethod<TMethod>
    {
        ArgumentNullException.ThrowIfNull(output);
        MessageFrames.Write(output, channel, in method, in properties, new ObjectContent<T>(this, value), new BodyFraming(frameMax));
    }

    /// <summary>Writes only a body, for a client that makes the frames itself.</summary>
    /// <param name="output">The output; unchanged after a failure.</param>
    /// <param name="value">The object; may be null.</param>
    /// <returns>The content encoding of the message; null when the body is not compressed.</returns>
    /// <exception cref="ObjectGraphException">The object refers to itself, is nested too deeply or is beyond another limit.</exception>
    /// <exception cref="UnsupportedTypeException">The object contains a value of a type that the serializer does not support.</exception>
    public string? Write<T>(BodyBuffer output, T value)
    {
        ArgumentNullException.ThrowIfNull(output);
        var target = new Alone(output);
        try
        {
            WriteBody(ref target, value);
            return target.ContentEncoding;
        }
        catch
        {
            target.Undo();
            throw;
        }
    }

    /// <summary>Returns the name of a body's type for its message; null when it does not fit a short string.</summary>
    /// <param name="type">The type of the object, such as <c>message.GetType()</c>.</param>
    public static string? TypeName(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        return BodyTypeNames.NameOf(type).String;
    }

    /// <summary>Reads the body of an AMQP 0-9-1 message.</summary>
    /// <param name="properties">The properties that came with it.</param>
    /// <param name="body">The body, in any number of parts.</param>
    /// <exception cref="AmqpFormatException">
    /// The content type is another one, the content encoding is unknown, or the compressed body is damaged or too large.
    /// </exception>
    /// <exception cref="WireFormatException">The body is not a Wire payload, or contains a refused type or value.</exception>
    public T? Read<T>(in BasicProperties properties, in ReadOnlySequence<byte> body) => Read<T>(in properties, in body, null);

    /// <summary>Reads the body of an AMQP 0-9-1 message into an object that is chosen by its type, as one of a pool.</summary>
    /// <param name="properties">The properties that came with it.</param>
    /// <param name="body">The body, in any number of parts. What is in several parts is read into a new object.</param>
    /// <param name="into">Gives the object: <see cref="Serializer.Deserialize{T}(ReadOnlySpan{byte}, Func{Type, T})"/>.</param>
    /// <returns>The object that was read into, or a new one.</returns>
    /// <inheritdoc cref="Read{T}(in BasicProperties, in ReadOnlySequence{byte})"/>
    public object? Read(in BasicProperties properties, in ReadOnlySequence<byte> body, Func<Type, object?> into)
    {
        ArgumentNullException.ThrowIfNull(into);
        return Read<object>(in properties, in body, into);
    }

    /// <summary>
    /// Asks a condition about the body of an AMQP 0-9-1 message, without reading its object. A body in one part that is not compressed is
    /// looked at where it lies.
    /// </summary>
    /// <param name="properties">The properties that came with it.</param>
    /// <param name="body">The body, in any number of parts.</param>
    /// <param name="condition">The condition.</param>
    /// <returns>
    /// What the condition says; true where the content type is that of other bodies, or the body does not begin like a payload: it is not
    /// asked about these.
    /// </returns>
    /// <exception cref="AmqpFormatException">
    /// The content encoding is unknown, or the compressed body is damaged or too large.
    /// </exception>
    public bool Meets(in BasicProperties properties, in ReadOnlySequence<byte> body, PayloadCondition condition) =>
        Meets(properties.ContentType, properties.ContentEncoding, in body, condition);

    /// <summary>Decompresses a body that need not be a Wire payload.</summary>
    /// <param name="contentEncoding">The content encoding of its message.</param>
    /// <param name="body">The body, in any number of parts.</param>
    /// <param name="output">The buffer that it is written to.</param>
    /// <returns>What was written; the body itself where it is not compressed.</returns>
    /// <exception cref="AmqpFormatException">
    /// The content encoding is unknown, or the compressed body is damaged or too large.
    /// </exception>
    public ReadOnlySequence<byte> Decompress(AmqpString contentEncoding, in ReadOnlySequence<byte> body, AmqpBuffer output)
    {
        ArgumentNullException.ThrowIfNull(output);
        if (ContentEncoding.Named(contentEncoding) is not { } encoding)
        {
            return body;
        }

        Decompress(encoding, in body, output);
        return output.Written;
    }

    /// <summary>Asks a condition about bytes; true for those that do not begin like a payload: reading them says what they are.</summary>
    internal static bool Meets(ReadOnlySpan<byte> body, PayloadCondition condition) => !BeginsPayload(body) || condition(body);

    /// <summary>Returns whether bytes begin like a Wire payload: with the version of the format in the high bits of the first.</summary>
    internal static bool BeginsPayload(ReadOnlySpan<byte> bytes)
    {
        const byte Version = 0x10;
        const byte VersionBits = 0xF0;
        return !bytes.IsEmpty && (bytes[0] & VersionBits) == Version;
    }

    /// <summary>Gets whether bodies are compressed, and therefore buffered because their size is unknown.</summary>
    internal bool IsCompressing => _encoding is not null;

    /// <summary>Fills in the properties of a message that describe its body.</summary>
    internal void Describe<T>(ref BasicProperties properties, T value)
    {
        properties.ContentEncoding = default;
        properties.ContentType = Described(properties.ContentType);

        if (properties.Type.IsNull)
        {
            properties.Type = _typeNames.GetName(value?.GetType() ?? typeof(T)).Text;
        }
    }

    /// <summary>Writes a body.</summary>
    internal void WriteBody<TTarget, T>(ref TTarget target, T value)
        where TTarget : struct, IBodyTarget, allows ref struct
    {
        if (_encoding is null)
        {
            IBufferWriter<byte> body = target.BeginBody(default);
            _serializer.Serialize(value, body);
            target.EndBody();
            return;
        }

        AmqpBuffer scratch = TakeScratch();
        try
        {
            _serializer.Serialize(value, scratch);
            WriteCompressed(ref target, scratch.Written);
        }
        finally
        {
            PutBack(scratch);
        }
    }

    // A message that no reader would take is not written.
    private static AmqpString Described(AmqpString contentType) =>
        contentType.IsEmpty ? EncodedContentType
        : IsContentType(contentType) ? contentType
        : throw new ArgumentException(
            $"The content type of the message is {ThrowHelper.Quote(contentType)}, and its body is a Wire payload, which readers would " +
            $"refuse: leave the content type out, which is '{ContentType}' then, or publish bytes of your own.");

    private void WriteCompressed<TTarget>(ref TTarget target, in ReadOnlySequence<byte> plain)
        where TTarget : struct, IBodyTarget, allows ref struct
    {
        if (plain.Length >= _options.CompressAbove)
        {
            IBufferWriter<byte> body = target.BeginBody(_encoding!.Name);
            using (Stream compressor = _encoding.Compress(new BufferWriterStream(body), _options.Level))
            {
                foreach (ReadOnlyMemory<byte> part in plain)
                {
                    compressor.Write(part.Span);
                }
            }

            if (target.EndBody() < plain.Length)
            {
                return;
            }

            // A body that does not become smaller is not compressed.
            target.Undo();
        }

        IBufferWriter<byte> output = target.BeginBody(default);
        foreach (ReadOnlyMemory<byte> part in plain)
        {
            output.Write(part.Span);
        }

        target.EndBody();
    }

    private T? Read<T>(in BasicProperties properties, in ReadOnlySequence<byte> body, Func<Type, object?>? into)
    {
        // RabbitMQ's mark of a body of AMQP 1.0 that is no data.
        if (properties.Type.Equals(SectionType) && body.FirstSpan is [Constructor.Described, ..])
        {
            throw new AmqpFormatException(
                AmqpFormatError.Body, -1, "The body is a section of AMQP 1.0, such as a value (amqp-value), as the message type " +
                    $"'{SectionType}' says: its publisher has to send the payload as data");
        }

        return Read<T>(properties.ContentType, properties.ContentEncoding, in body, into);
    }

    private T? Read<T>(
        AmqpString contentType, AmqpString contentEncoding, in ReadOnlySequence<byte> body, Func<Type, object?>? into = null)
    {
        if (!contentType.IsEmpty && !IsContentType(contentType))
        {
            throw new AmqpFormatException(
                AmqpFormatError.Body, -1, $"The content type is {ThrowHelper.Quote(
                    contentType)}, and that of a Wire body is '{ContentType}'");
        }

        if (contentEncoding.IsEmpty)
        {
            return Read<T>(in body, into);
        }

        AmqpBuffer scratch = TakeScratch();
        try
        {
            return Read<T>(Decompress(contentEncoding, in body, scratch), into);
        }
        finally
        {
            PutBack(scratch);
        }
    }

    private T? Read<T>(in ReadOnlySequence<byte> plain, Func<Type, object?>? into) => into is not null && plain.IsSingleSegment
        ? (T?)_serializer.Deserialize(plain.FirstSpan, into)
        : _serializer.Deserialize<T>(in plain);

    private bool Meets(
        AmqpString contentType, AmqpString contentEncoding, in ReadOnlySequence<byte> body, PayloadCondition condition)
    {
        ArgumentNullException.ThrowIfNull(condition);
        if (!contentType.IsEmpty && !IsContentType(contentType))
        {
            return true;
        }

        if (contentEncoding.IsEmpty && body.IsSingleSegment)
        {
            return Meets(body.FirstSpan, condition);
        }

        AmqpBuffer scratch = TakeScratch();
        try
        {
            ReadOnlySequence<byte> plain = Decompress(contentEncoding, in body, scratch);
            return Meets(plain.IsSingleSegment ? plain.FirstSpan : plain.ToArray(), condition);
        }
        finally
        {
            PutBack(scratch);
        }
    }

    private void Decompress(ContentEncoding encoding, in ReadOnlySequence<byte> body, AmqpBuffer output)
    {
        long max = _options.MaxDecompressedBytes;
        try
        {
            var input = new SequenceStream(body, encoding.Behind);
            using Stream plain = encoding.Decompress(input);
            for (int read; (read = plain.Read(output.GetSpan())) > 0;)
            {
                output.Advance(read);
                if (output.Length > max)
                {
                    throw new AmqpFormatException(
                        AmqpFormatError.Body, -1, $"The {encoding.Name} body grows to more than AmqpBodyOptions.MaxDecompressedBytes " +
                            $"= {max}: if it is meant to be that large, raise the limit");
                }
            }

            if (input.WasTooShort)
            {
                throw new InvalidDataException("The stream ends too early.");
            }
        }
        catch (Exception e) when (e is InvalidDataException or InvalidOperationException or IOException)
        {
            throw new AmqpFormatException(
                AmqpFormatError.Body, -1, $"The body is cut or damaged: it is not a complete {encoding.Name} stream", inner: e);
        }
    }

    private static AmqpBuffer TakeScratch()
    {
        AmqpBuffer scratch = _threadScratch ?? new AmqpBuffer();
        _threadScratch = null;
        return scratch;
    }

    private static void PutBack(AmqpBuffer scratch)
    {
        scratch.Clear();
        _threadScratch = scratch;
    }
}

using System.Buffers;
using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Publishing;
using Wire.Runtime;

namespace Wire.RabbitMQ;

/// <summary>
/// JSON as the bodies of messages, by System.Text.Json: <c>application/json</c>, and the full name of the object's type in the property
/// type. Immutable and thread-safe.
/// </summary>
/// <remarks>
/// A body becomes the type that its message names, if a handler has it or it is allowed here. A name that begins with a full name and goes
/// on with an assembly, as those of EasyNetQ do, is known by the full name. Members whose declared type is a base of allowed types have
/// these as derived types, with the discriminator <c>$type</c>, unless the options or the type's attributes say otherwise.
/// </remarks>
public sealed class JsonBodyFormat : IBodyFormat
{
    internal const string ContentType = "application/json";

    private readonly JsonSerializerOptions _given;
    private readonly ImmutableArray<(Type Type, string Name)> _allowed;
    private readonly JsonSerializerOptions _options;

    /// <summary>Makes bodies by reflection: names in camel case, read in any case.</summary>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public JsonBodyFormat()
        : this(new JsonSerializerOptions(JsonSerializerDefaults.Web) { TypeInfoResolver = new DefaultJsonTypeInfoResolver() }, [])
    {
    }

    /// <summary>Makes bodies with options, by reflection where they have no resolver.</summary>
    /// <param name="options">The options, of which a copy is kept.</param>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public JsonBodyFormat(JsonSerializerOptions options)
        : this(
            options?.TypeInfoResolver is null
                ? new JsonSerializerOptions(options ?? throw new ArgumentNullException(nameof(options)))
                {
                    TypeInfoResolver = new DefaultJsonTypeInfoResolver(),
                }
                : options,
            [])
    {
    }

    /// <summary>Makes bodies by the code that a source generator has written, without reflection.</summary>
    /// <param name="context">What it has written, with its options.</param>
    public JsonBodyFormat(JsonSerializerContext context)
        : this(
            new JsonSerializerOptions((context ?? throw new ArgumentNullException(nameof(context))).Options) { TypeInfoResolver = context },
            [])
    {
    }

    private JsonBodyFormat(JsonSerializerOptions given, ImmutableArray<(Type Type, string Name)> allowed)
    {
        _given = given;
        _allowed = allowed;
        _options = new JsonSerializerOptions(given) { TypeInfoResolver = given.TypeInfoResolver!.WithAddedModifier(AddDerivedTypes) };
        _options.MakeReadOnly();
    }

    /// <summary>
    /// Gets the type of bodies whose message names none, as those of other programs may; null, the default, for an error.
    /// </summary>
    public Type? UnnamedType { get; init; }

    /// <summary>Gets whether it reads bodies without a content type, which otherwise count as Wire payloads. Off unless set.</summary>
    public bool ReadsUnmarked { get; init; }

    /// <summary>Gets the types that are allowed here.</summary>
    internal IEnumerable<Type> Allowed => _allowed.Select(each => each.Type);

    /// <summary>Makes a copy that allows one more type.</summary>
    /// <param name="type">The type, as the root of a body and as a member of its bases.</param>
    /// <param name="name">
    /// Its name in JSON and in the message's property type, at most 255 bytes; the full name of the type when left out.
    /// </param>
    /// <exception cref="ArgumentException">
    /// There is another type of that name, no object has the type, or the name is empty or too long.
    /// </exception>
    public JsonBodyFormat Allow(Type type, string? name = null)
    {
        ArgumentNullException.ThrowIfNull(type);
        if (type.ContainsGenericParameters)
        {
            throw new ArgumentException($"No object has the type {type}: its type arguments are missing.", nameof(type));
        }

        name ??= AmqpBody.TypeName(type) ?? throw new ArgumentException(
            $"The name of the type {type} does not fit 255 bytes: allow it by a shorter one.", nameof(name));
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        ShortStringLimit.Checked(name, nameof(name));
        if (_allowed.FirstOrDefault(each => each.Name == name || each.Type == type) is { Type: { } other })
        {
            throw new ArgumentException($"'{name}' is for {type}, and {other} is allowed already by that name or another.", nameof(name));
        }

        return new JsonBodyFormat(_given, _allowed.Add((type, name))) { UnnamedType = UnnamedType, ReadsUnmarked = ReadsUnmarked };
    }

    /// <inheritdoc cref="IBodyReader.Reads"/>
    public bool Reads(in BasicProperties properties) =>
        properties.ContentType.IsEmpty ? ReadsUnmarked : new MediaType(properties.ContentType).Is(ContentType, "text/json");

    /// <inheritdoc cref="IBodyReader.Read"/>
    /// <exception cref="JsonException">It is no JSON, or none of that type.</exception>
    public object? Read(in BasicProperties properties, in ReadOnlySequence<byte> body, BodyTypes types)
    {
        ArgumentNullException.ThrowIfNull(types);
        return Read(TypeOf(properties.Type.Text(), types), in properties, in body);
    }

    /// <inheritdoc/>
    /// <exception cref="NotSupportedException">The options have no contract for the type of the object, or of a member.</exception>
    public void Write(object? message, ref BasicProperties properties, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        properties.ContentType = ContentType;
        if (message is not null)
        {
            string? usual = AmqpBody.TypeName(message.GetType());
            if ((properties.Type.IsNull || (usual is not null && properties.Type.Equals(usual)))
                && _allowed.FirstOrDefault(each => each.Type == message.GetType()) is { Name: { } name })
            {
                properties.Type = name;
            }

            if (properties.Type.IsNull)
            {
                throw new ArgumentException(
                    $"The name of the type {message.GetType()} does not fit 255 bytes: allow it by a shorter one.", nameof(message));
            }
        }

        using var writer = new Utf8JsonWriter(output);
        WriteTo(writer, message);
    }

    /// <summary>Reads a body as a type.</summary>
    internal object? Read(Type type, in BasicProperties properties, in ReadOnlySequence<byte> body)
    {
        MediaType mediaType = new(properties.ContentType);
        ReadOnlySequence<byte> json = mediaType.Encoding() is { CodePage: not 65001 and not 20127 } encoding
            ? throw new JsonException($"The JSON is in {encoding.WebName}, and JSON between programs is in UTF-8 (RFC 8259, section 8.1).")
            : WithoutMark(in body);
        var reader = new Utf8JsonReader(json, new JsonReaderOptions
        {
            AllowTrailingCommas = _options.AllowTrailingCommas,
            CommentHandling = _options.ReadCommentHandling,
            MaxDepth = _options.MaxDepth,
        });
        object? message = JsonSerializer.Deserialize(ref reader, _options.GetTypeInfo(type));
        return !reader.Read() ? message : throw new JsonException("There is more than one value in the body.");
    }

    /// <summary>Reads a part of a body as a type.</summary>
    internal object? Read(Type type, JsonElement element) => element.Deserialize(_options.GetTypeInfo(type));

    /// <summary>Writes an object.</summary>
    internal void WriteTo(Utf8JsonWriter writer, object? message)
    {
        if (message is null)
        {
            writer.WriteNullValue();
            return;
        }

        JsonSerializer.Serialize(writer, message, _options.GetTypeInfo(message.GetType()));
    }

    /// <summary>Finds the type of a name that the program has given here.</summary>
    internal Type? Named(string name) => _allowed.FirstOrDefault(each => each.Name == name).Type;

    // A mark of UTF-8, which no JSON between programs should have and that of some serializers has.
    private static ReadOnlySequence<byte> WithoutMark(in ReadOnlySequence<byte> body)
    {
        Span<byte> first = stackalloc byte[3];
        if (body.Length < first.Length)
        {
            return body;
        }

        body.Slice(0, first.Length).CopyTo(first);
        return first.SequenceEqual("\uFEFF"u8) ? body.Slice(first.Length) : body;
    }

    private Type TypeOf(string? name, BodyTypes types)
    {
        if (string.IsNullOrEmpty(name))
        {
            return types.Expected ?? UnnamedType ?? throw new BodyTypeException(
                $"The message names no type, in its property type: set {nameof(JsonBodyFormat)}.{nameof(UnnamedType)} where it is known.");
        }

        return Named(name) ?? types.Find(name, Allowed) ?? throw new BodyTypeException(
            $"The message names the type '{name}', which no handler has: add one with Handle<T>, or allow the type with " +
            $"{nameof(JsonBodyFormat)}.{nameof(Allow)}.");
    }

    private void AddDerivedTypes(JsonTypeInfo info)
    {
        if (info.Kind != JsonTypeInfoKind.Object || info.PolymorphismOptions is not null || info.Type.IsSealed)
        {
            return;
        }

        foreach ((Type type, string name) in _allowed)
        {
            if (type != info.Type && info.Type.IsAssignableFrom(type) && !type.IsAbstract && !type.IsInterface)
            {
                info.PolymorphismOptions ??= new JsonPolymorphismOptions();
                info.PolymorphismOptions.DerivedTypes.Add(new JsonDerivedType(type, name));
            }
        }
    }
}

using System.Diagnostics.CodeAnalysis;
using Wire.Amqp;
using Wire.Runtime;

namespace Wire.RabbitMQ;

/// <summary>
/// Writes and reads objects as the bodies of messages; <see cref="ChannelExtensions"/> has it for code on channels of RabbitMQ.Client.
/// Thread-safe: make one and use it everywhere.
/// </summary>
/// <remarks>
/// The content type of a message marks its body as a Wire payload, the content encoding names the compression, and the type is the full
/// name of the object's type, for other clients to route by. The body itself names its types, so that a reader needs none of these, and
/// reads only what the serializer's <see cref="SerializerOptions.TypeFilter"/> allows.
/// </remarks>
public sealed class WireBodySerializer
{
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
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public WireBodySerializer(SerializerOptions serializer, AmqpBodyOptions? options = null)
        : this(new Serializer(serializer), options)
    {
    }

    /// <summary>Gets the serializer of the objects.</summary>
    public Serializer Serializer { get; }

    /// <summary>Gets the writer of bodies into frames.</summary>
    internal AmqpBody Body { get; }

    /// <summary>Makes a copy that allows more types.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
    internal WireBodySerializer Allowing(IEnumerable<Type> types)
    {
        SerializerOptions options = Serializer.Options;
        WireTypeFilter filter = types.Aggregate(options.TypeFilter, (filter, type) => filter.Allow(type));
        return new WireBodySerializer(new Serializer(options with { TypeFilter = filter }), _bodyOptions);
    }
}

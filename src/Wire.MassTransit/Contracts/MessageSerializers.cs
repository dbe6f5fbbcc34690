using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.Serialization;
using Wire.MassTransit.Envelopes;
using Wire.Runtime;

namespace Wire.MassTransit.Contracts;

/// <summary>The serializers of envelopes and messages. Thread-safe.</summary>
/// <remarks>
/// Most messages have one serializer in common. A message type that is an interface, or has members of interfaces, has one of its own:
/// MassTransit makes classes for such interfaces, whose names differ in each process, and which travel under the names of the interfaces.
/// </remarks>
internal sealed class MessageSerializers
{
    // What is kept of a large message is given back.
    private const int KeptBytes = 1 << 20;

    [ThreadStatic]
    private static ArrayBufferWriter<byte>? _buffer;

    private readonly SerializerOptions _options;
    private readonly Serializer _envelopes;
    private readonly Serializer _common;
    private readonly ConcurrentDictionary<Type, Serializer> _serializers = new();

    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public MessageSerializers(SerializerOptions options)
    {
        _options = MessageOptions.For(options);
        _common = new Serializer(_options);

        // Services of several releases read each other's envelopes, whatever they agree on for their messages.
        _envelopes = new Serializer(_options with
        {
            VersionTolerance = true,
            PreserveObjectReferences = false,
            MissingMembers = default,
            UseConstructors = false,
        });
    }

    /// <summary>Writes a body with a message.</summary>
    public byte[] Write(Envelope envelope, object message) => Write(envelope, (message, this), static (output, state) =>
    {
        Type type = state.message.GetType();
        state.Item2.For(MessageContract.Find(type) ?? type).Serialize(state.message, output);
    });

    /// <summary>Writes a body with a message that is written already.</summary>
    public byte[] Write(Envelope envelope, ReadOnlySpan<byte> message) =>
        Write(envelope, message, static (output, bytes) => output.Write(bytes));

    /// <summary>Reads the envelope of a body.</summary>
    /// <param name="body">The body.</param>
    /// <param name="size">The number of bytes that it takes: the message follows.</param>
    public Envelope ReadEnvelope(ReadOnlySpan<byte> body, out int size)
    {
        Envelope envelope = _envelopes.Deserialize<Envelope>(body, out size)
            ?? throw new SerializationException("The body has no envelope.");
        envelope.Normalize();
        return envelope;
    }

    /// <summary>Reads the message of a body as a type that a consumer asks for.</summary>
    public object? Read(Type type, ReadOnlySpan<byte> message) => For(type).Deserialize(type, message);

    private byte[] Write<TState>(Envelope envelope, TState state, Action<ArrayBufferWriter<byte>, TState> write)
        where TState : allows ref struct
    {
        // Taken away for the time being: a surrogate of the message might send another.
        ArrayBufferWriter<byte> buffer = _buffer ?? new ArrayBufferWriter<byte>(1024);
        _buffer = null;
        try
        {
            _envelopes.Serialize(envelope, buffer);
            write(buffer, state);
            return buffer.WrittenSpan.ToArray();
        }
        finally
        {
            if (buffer.Capacity <= KeptBytes)
            {
                buffer.ResetWrittenCount();
                _buffer = buffer;
            }
        }
    }

    private Serializer For(Type type) => _serializers.TryGetValue(type, out Serializer? serializer)
        ? serializer
        : _serializers.GetOrAdd(type, Create(type));

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
    private Serializer Create(Type type)
    {
        SerializerOptions options = MessageOptions.For(_options, type);
        return ReferenceEquals(options, _options) ? _common : new Serializer(options);
    }
}

using System.Buffers;
using Wire.Benchmarks.Floors;

namespace Wire.Benchmarks.Peers;

/// <summary>The root carries its type: it is written as an object, and read as <typeparamref name="T"/>.</summary>
internal readonly struct WireCodec<T>(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<T>
    where T : class
{
    public ReadOnlySpan<byte> Write(T value)
    {
        output.ResetWrittenCount();
        serializer.Serialize<object>(value, output);
        return output.WrittenSpan;
    }

    public T Read(ReadOnlySpan<byte> payload) => serializer.Deserialize<T>(payload)!;
}

/// <summary>Both sides name the type in code.</summary>
internal readonly struct WireTypedCodec<T>(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<T>
    where T : class
{
    public ReadOnlySpan<byte> Write(T value)
    {
        output.ResetWrittenCount();
        serializer.SerializeTyped(value, output);
        return output.WrittenSpan;
    }

    public T Read(ReadOnlySpan<byte> payload) => serializer.DeserializeTyped<T>(payload)!;
}

/// <summary>One message of a long stream: an earlier one has carried the manifests.</summary>
internal readonly struct WireSessionCodec<T>(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<T>
    where T : class
{
    private readonly SerializerSession _writing = serializer.GetSerializerSession();
    private readonly DeserializerSession _reading = serializer.GetDeserializerSession();

    public ReadOnlySpan<byte> Write(T value)
    {
        output.ResetWrittenCount();
        serializer.Serialize<object>(value, output, _writing);
        return output.WrittenSpan;
    }

    public T Read(ReadOnlySpan<byte> payload) => serializer.Deserialize<T>(payload, _reading)!;
}

// Where a message takes nanoseconds, the codecs name its class: generic code is shared by all classes, and looking up which one it
// works for would be a cost that the code of a user, who names the class as well, does not have.

internal readonly struct PocoWireCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<Poco>
{
    public ReadOnlySpan<byte> Write(Poco value)
    {
        output.ResetWrittenCount();
        serializer.Serialize<object>(value, output);
        return output.WrittenSpan;
    }

    public Poco Read(ReadOnlySpan<byte> payload) => serializer.Deserialize<Poco>(payload)!;
}

internal readonly struct PocoTypedCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<Poco>
{
    public ReadOnlySpan<byte> Write(Poco value)
    {
        output.ResetWrittenCount();
        serializer.SerializeTyped(value, output);
        return output.WrittenSpan;
    }

    public Poco Read(ReadOnlySpan<byte> payload) => serializer.DeserializeTyped<Poco>(payload)!;
}

internal readonly struct OneIntWireCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<OneInt>
{
    public ReadOnlySpan<byte> Write(OneInt value)
    {
        output.ResetWrittenCount();
        serializer.Serialize<object>(value, output);
        return output.WrittenSpan;
    }

    public OneInt Read(ReadOnlySpan<byte> payload) => serializer.Deserialize<OneInt>(payload)!;
}

internal readonly struct OneIntTypedCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<OneInt>
{
    public ReadOnlySpan<byte> Write(OneInt value)
    {
        output.ResetWrittenCount();
        serializer.SerializeTyped(value, output);
        return output.WrittenSpan;
    }

    public OneInt Read(ReadOnlySpan<byte> payload) => serializer.DeserializeTyped<OneInt>(payload)!;
}

/// <summary>One message of a long stream: an earlier one has carried the manifest.</summary>
internal readonly struct PocoSessionCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<Poco>
{
    private readonly SerializerSession _writing = serializer.GetSerializerSession();
    private readonly DeserializerSession _reading = serializer.GetDeserializerSession();

    public ReadOnlySpan<byte> Write(Poco value)
    {
        output.ResetWrittenCount();
        serializer.Serialize<object>(value, output, _writing);
        return output.WrittenSpan;
    }

    public Poco Read(ReadOnlySpan<byte> payload) => serializer.Deserialize<Poco>(payload, _reading)!;
}

internal readonly struct OneIntSessionCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<OneInt>
{
    private readonly SerializerSession _writing = serializer.GetSerializerSession();
    private readonly DeserializerSession _reading = serializer.GetDeserializerSession();

    public ReadOnlySpan<byte> Write(OneInt value)
    {
        output.ResetWrittenCount();
        serializer.Serialize<object>(value, output, _writing);
        return output.WrittenSpan;
    }

    public OneInt Read(ReadOnlySpan<byte> payload) => serializer.Deserialize<OneInt>(payload, _reading)!;
}

/// <summary>A session of its own for each conversation.</summary>
internal readonly struct ConversationCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<Conversation>
{
    public ReadOnlySpan<byte> Write(Conversation value)
    {
        output.ResetWrittenCount();
        using SerializerSession session = serializer.GetSerializerSession();
        foreach (object message in value.Messages)
        {
            serializer.Serialize(message, output, session);
        }

        return output.WrittenSpan;
    }

    public Conversation Read(ReadOnlySpan<byte> payload)
    {
        using DeserializerSession session = serializer.GetDeserializerSession();
        var messages = new object[ConversationFloor.Count];
        for (int i = 0; i < messages.Length; i++)
        {
            messages[i] = serializer.Deserialize<object>(payload, session, out int consumed)!;
            payload = payload[consumed..];
        }

        return new Conversation(messages);
    }
}

/// <summary>Messages of any class: the payload names each.</summary>
internal readonly struct TrafficCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<object>
{
    public ReadOnlySpan<byte> Write(object value)
    {
        output.ResetWrittenCount();
        serializer.Serialize(value, output);
        return output.WrittenSpan;
    }

    public object Read(ReadOnlySpan<byte> payload) => serializer.Deserialize<object>(payload)!;
}

/// <summary>Messages of any class over one long-lived session: earlier ones have carried the manifests.</summary>
internal readonly struct TrafficSessionCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<object>
{
    private readonly SerializerSession _writing = serializer.GetSerializerSession();
    private readonly DeserializerSession _reading = serializer.GetDeserializerSession();

    public ReadOnlySpan<byte> Write(object value)
    {
        output.ResetWrittenCount();
        serializer.Serialize(value, output, _writing);
        return output.WrittenSpan;
    }

    public object Read(ReadOnlySpan<byte> payload) => serializer.Deserialize<object>(payload, _reading)!;
}

/// <summary>Two serializers on one thread: each message is written and read with both, one after the other.</summary>
internal readonly struct TwoSerializersCodec(Serializer first, Serializer second, ArrayBufferWriter<byte> output) : ICodec<object>
{
    public ReadOnlySpan<byte> Write(object value)
    {
        output.ResetWrittenCount();
        first.Serialize(value, output);
        output.ResetWrittenCount();
        second.Serialize(value, output);
        return output.WrittenSpan;
    }

    public object Read(ReadOnlySpan<byte> payload)
    {
        first.Deserialize<object>(payload);
        return second.Deserialize<object>(payload)!;
    }
}

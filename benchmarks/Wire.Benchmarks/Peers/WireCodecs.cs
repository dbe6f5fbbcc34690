using System.Buffers;

namespace Wire.Benchmarks;

/// <summary>The root carries its type: it is written as an object, and read as <typeparamref name="TRoot"/>.</summary>
internal readonly struct WireCodec<T, TRoot>(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<T>
    where T : class, TRoot
    where TRoot : class
{
    public ReadOnlySpan<byte> Write(T value)
    {
        output.ResetWrittenCount();
        serializer.Serialize<object>(value, output);
        return output.WrittenSpan;
    }

    public T Read(ReadOnlySpan<byte> payload) => (T)serializer.Deserialize<TRoot>(payload)!;
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

/// <summary>One message of a long stream: an earlier one has carried the manifest.</summary>
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

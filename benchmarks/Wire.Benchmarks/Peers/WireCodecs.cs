using System.Buffers;

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

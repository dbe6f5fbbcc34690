using System.Buffers;
using System.Text.Json;
using Bench;

namespace Wire.Benchmarks;

/// <summary>One way to write and read the message. Implemented by structs, so that each gets loops of its own, without interface calls.</summary>
internal interface ICodec
{
    /// <summary>Writes into memory that the codec reuses; the bytes are valid until the next call.</summary>
    ReadOnlySpan<byte> Write(Poco value);

    /// <summary>Reads a message back.</summary>
    Poco Read(ReadOnlySpan<byte> payload);
}

internal readonly struct UnsafeCodec(byte[] buffer) : ICodec
{
    public ReadOnlySpan<byte> Write(Poco value) => buffer.AsSpan(0, UnsafeCode.Write(value, buffer));

    public Poco Read(ReadOnlySpan<byte> payload) => UnsafeCode.Read(payload);
}

internal readonly struct FloorCodec(ArrayBufferWriter<byte> output) : ICodec
{
    public ReadOnlySpan<byte> Write(Poco value)
    {
        output.ResetWrittenCount();
        Floor.Write(value, output);
        return output.WrittenSpan;
    }

    public Poco Read(ReadOnlySpan<byte> payload) => Floor.Read(payload);
}

/// <summary>The root carries its type: it is written as an object, and read as <typeparamref name="TRoot"/>.</summary>
internal readonly struct PolymorphicCodec<TRoot>(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec
    where TRoot : class
{
    public ReadOnlySpan<byte> Write(Poco value)
    {
        output.ResetWrittenCount();
        serializer.Serialize<object>(value, output);
        return output.WrittenSpan;
    }

    public Poco Read(ReadOnlySpan<byte> payload) => (Poco)(object)serializer.Deserialize<TRoot>(payload)!;
}

/// <summary>Both sides name the type in code.</summary>
internal readonly struct TypedCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec
{
    public ReadOnlySpan<byte> Write(Poco value)
    {
        output.ResetWrittenCount();
        serializer.SerializeTyped(value, output);
        return output.WrittenSpan;
    }

    public Poco Read(ReadOnlySpan<byte> payload) => serializer.DeserializeTyped<Poco>(payload)!;
}

/// <summary>One message of a long stream: an earlier one has carried the manifest.</summary>
internal readonly struct SessionCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec
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

internal readonly struct StjCodec(ArrayBufferWriter<byte> output, Utf8JsonWriter writer) : ICodec
{
    public ReadOnlySpan<byte> Write(Poco value)
    {
        output.ResetWrittenCount();
        writer.Reset();
        JsonSerializer.Serialize(writer, value, StjContext.Default.Poco);
        return output.WrittenSpan;
    }

    public Poco Read(ReadOnlySpan<byte> payload) => JsonSerializer.Deserialize(payload, StjContext.Default.Poco)!;
}

using System.Buffers;

namespace Wire.Benchmarks.Quoted.Peers;

internal readonly struct SimplePocoWireCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<SimplePoco>
{
    public ReadOnlySpan<byte> Write(SimplePoco value)
    {
        output.ResetWrittenCount();
        serializer.Serialize<object>(value, output);
        return output.WrittenSpan;
    }

    public SimplePoco Read(ReadOnlySpan<byte> payload) => serializer.Deserialize<SimplePoco>(payload)!;
}

internal readonly struct SimplePocoTypedCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<SimplePoco>
{
    public ReadOnlySpan<byte> Write(SimplePoco value)
    {
        output.ResetWrittenCount();
        serializer.SerializeTyped(value, output);
        return output.WrittenSpan;
    }

    public SimplePoco Read(ReadOnlySpan<byte> payload) => serializer.DeserializeTyped<SimplePoco>(payload)!;
}

/// <summary>One message of a long stream: an earlier one has carried the manifest.</summary>
internal readonly struct SimplePocoSessionCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<SimplePoco>
{
    private readonly SerializerSession _writing = serializer.GetSerializerSession();
    private readonly DeserializerSession _reading = serializer.GetDeserializerSession();

    public ReadOnlySpan<byte> Write(SimplePoco value)
    {
        output.ResetWrittenCount();
        serializer.Serialize<object>(value, output, _writing);
        return output.WrittenSpan;
    }

    public SimplePoco Read(ReadOnlySpan<byte> payload) => serializer.Deserialize<SimplePoco>(payload, _reading)!;
}

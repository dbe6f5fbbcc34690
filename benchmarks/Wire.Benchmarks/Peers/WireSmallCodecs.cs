using System.Buffers;
using Bench;

namespace Wire.Benchmarks.Peers;

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

internal readonly struct OneStringWireCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<OneString>
{
    public ReadOnlySpan<byte> Write(OneString value)
    {
        output.ResetWrittenCount();
        serializer.Serialize<object>(value, output);
        return output.WrittenSpan;
    }

    public OneString Read(ReadOnlySpan<byte> payload) => serializer.Deserialize<OneString>(payload)!;
}

internal readonly struct OneStringTypedCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<OneString>
{
    public ReadOnlySpan<byte> Write(OneString value)
    {
        output.ResetWrittenCount();
        serializer.SerializeTyped(value, output);
        return output.WrittenSpan;
    }

    public OneString Read(ReadOnlySpan<byte> payload) => serializer.DeserializeTyped<OneString>(payload)!;
}

/// <summary>Nobody names the class: whatever the payload holds is read.</summary>
internal readonly struct PocoAsObjectCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<Poco>
{
    public ReadOnlySpan<byte> Write(Poco value)
    {
        output.ResetWrittenCount();
        serializer.Serialize<object>(value, output);
        return output.WrittenSpan;
    }

    public Poco Read(ReadOnlySpan<byte> payload) => (Poco)serializer.Deserialize<object>(payload)!;
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

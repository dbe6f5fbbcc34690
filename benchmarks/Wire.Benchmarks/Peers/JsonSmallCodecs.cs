using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Bench;

namespace Wire.Benchmarks.Peers;

// As JsonCodec, for the messages of nanoseconds: they name the class, for the same reason as the codecs of Wire do.

internal readonly struct PocoJsonCodec(JsonTypeInfo<Poco> type) : ICodec<Poco>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);
    private readonly Utf8JsonWriter _writer = new(new ArrayBufferWriter<byte>(), JsonCodec.WriterOptions);

    public ReadOnlySpan<byte> Write(Poco value)
    {
        _output.ResetWrittenCount();
        _writer.Reset(_output);
        JsonSerializer.Serialize(_writer, value, type);
        return _output.WrittenSpan;
    }

    public Poco Read(ReadOnlySpan<byte> payload) => JsonSerializer.Deserialize(payload, type)!;
}

internal readonly struct OneIntJsonCodec(JsonTypeInfo<OneInt> type) : ICodec<OneInt>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);
    private readonly Utf8JsonWriter _writer = new(new ArrayBufferWriter<byte>(), JsonCodec.WriterOptions);

    public ReadOnlySpan<byte> Write(OneInt value)
    {
        _output.ResetWrittenCount();
        _writer.Reset(_output);
        JsonSerializer.Serialize(_writer, value, type);
        return _output.WrittenSpan;
    }

    public OneInt Read(ReadOnlySpan<byte> payload) => JsonSerializer.Deserialize(payload, type)!;
}

internal readonly struct OneStringJsonCodec(JsonTypeInfo<OneString> type) : ICodec<OneString>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);
    private readonly Utf8JsonWriter _writer = new(new ArrayBufferWriter<byte>(), JsonCodec.WriterOptions);

    public ReadOnlySpan<byte> Write(OneString value)
    {
        _output.ResetWrittenCount();
        _writer.Reset(_output);
        JsonSerializer.Serialize(_writer, value, type);
        return _output.WrittenSpan;
    }

    public OneString Read(ReadOnlySpan<byte> payload) => JsonSerializer.Deserialize(payload, type)!;
}

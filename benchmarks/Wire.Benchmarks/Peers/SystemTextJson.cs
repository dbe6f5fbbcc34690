using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Bench;

namespace Wire.Benchmarks;

/// <summary>System.Text.Json with code generated at build time, its fastest way.</summary>
internal sealed class SystemTextJson : Peer
{
    public override string Name => "System.Text.Json";

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario)
    {
        if (scenario is Scenario<Poco> poco)
        {
            yield return poco.Row("System.Text.Json, source-generated", Typing.Static, Codec(JsonContext.Default.Poco));
        }
    }

    private static JsonCodec<T> Codec<T>(JsonTypeInfo<T> type)
    {
        var output = new ArrayBufferWriter<byte>(1024);
        return new JsonCodec<T>(type, output, new Utf8JsonWriter(output, new JsonWriterOptions { SkipValidation = true }));
    }
}

/// <summary>The types that code is generated for.</summary>
[JsonSerializable(typeof(Poco))]
internal sealed partial class JsonContext : JsonSerializerContext;

internal readonly struct JsonCodec<T>(JsonTypeInfo<T> type, ArrayBufferWriter<byte> output, Utf8JsonWriter writer) : ICodec<T>
{
    public ReadOnlySpan<byte> Write(T value)
    {
        output.ResetWrittenCount();
        writer.Reset();
        JsonSerializer.Serialize(writer, value, type);
        return output.WrittenSpan;
    }

    public T Read(ReadOnlySpan<byte> payload) => JsonSerializer.Deserialize(payload, type)!;
}

using System.Buffers;
using System.Collections.Immutable;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Bench.FSharp;
using Microsoft.FSharp.Collections;

namespace Wire.Benchmarks.Peers;

/// <summary>
/// System.Text.Json with code generated at build time, its fastest way. A type discriminator names one of the types that the program has
/// listed beforehand; an object of no declared type it does not read back.
/// </summary>
internal sealed class SystemTextJson : Peer
{
    public override string Name => "System.Text.Json";

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario)
    {
        switch (scenario)
        {
            case Scenario<Poco> poco:
                yield return poco.Row($"{Name}, source-generated", Typing.Static, new PocoJsonCodec(JsonContext.Default.Poco));
                yield return Discriminated(scenario);
                break;
            case Scenario<OneInt> number:
                yield return number.Row($"{Name}, source-generated", Typing.Static, new OneIntJsonCodec(JsonContext.Default.OneInt));
                yield return Discriminated(scenario);
                break;
            case Scenario<Order>:
                yield return Row(scenario, Typing.Static, "source-generated", JsonContext.Default.Options);
                yield return Discriminated(scenario);
                break;
            case Scenario<List<Poco>>:
            case Scenario<Poco[]>:
            case Scenario<Dictionary<string, Poco>>:
            case Scenario<ImmutableList<Poco>>:
            case Scenario<int[]>:
            case Scenario<string>:
                yield return Row(scenario, Typing.Static, "source-generated", JsonContext.Default.Options);
                break;
            case Scenario<List<Figure>>:
            case Scenario<List<IShape>>:
                yield return Row(scenario, Typing.Union, "type discriminators", JsonContext.Default.Options);
                break;
            case Scenario<Conversation> conversation:
                yield return conversation.Row(
                    $"{Name}, type discriminators",
                    Typing.Union,
                    new ConversationOf<JsonMessageCodec<object>>(new(JsonContext.Default.IMessage)));
                break;
            case Scenario<TreeNode>:
                yield return Row(scenario, Typing.Static, "source-generated, references", ReferenceJsonContext.Default.Options);
                break;
            case Scenario<object?[]>:
                yield return scenario.Cannot(Name, Typing.Polymorphic, "reads objects as JsonElement");
                break;
            case Scenario<FSharpList<Event>>:
                yield return scenario.Cannot(Name, Typing.Static, "knows no unions of F#");
                break;
        }
    }

    public override IEnumerable<Row> Rows(Traffic traffic)
    {
        if (traffic.Name == Traffic.VariedText)
        {
            yield return traffic.Row($"{Name}, source-generated", Typing.Static, new RemarkJsonCodec(JsonContext.Default.Remark));
        }

        if (traffic.Name is Traffic.MixedTypes or Traffic.VariedText)
        {
            yield return traffic.Row(
                $"{Name}, type discriminator", Typing.Union, new JsonMessageCodec<object>(JsonContext.Default.IMessage));
        }
    }

    private Row Discriminated<T>(Scenario<T> scenario)
        where T : class =>
            scenario.Row($"{Name}, type discriminator", Typing.Union, new JsonMessageCodec<T>(JsonContext.Default.IMessage));

    private Row Row<T>(Scenario<T> scenario, Typing typing, string what, JsonSerializerOptions options)
        where T : class => scenario.Row($"{Name}, {what}", typing, new JsonCodec<T>((JsonTypeInfo<T>)options.GetTypeInfo(typeof(T))));
}

/// <summary>The types that code is generated for.</summary>
[JsonSerializable(typeof(IMessage))]
[JsonSerializable(typeof(Poco))]
[JsonSerializable(typeof(OneInt))]
[JsonSerializable(typeof(Order))]
[JsonSerializable(typeof(List<Poco>))]
[JsonSerializable(typeof(Poco[]))]
[JsonSerializable(typeof(Dictionary<string, Poco>))]
[JsonSerializable(typeof(ImmutableList<Poco>))]
[JsonSerializable(typeof(List<Figure>))]
[JsonSerializable(typeof(List<IShape>))]
[JsonSerializable(typeof(Remark))]
[JsonSerializable(typeof(int[]))]
[JsonSerializable(typeof(string))]
internal sealed partial class JsonContext : JsonSerializerContext;

/// <summary>The same with identities, for graphs with cycles.</summary>
[JsonSourceGenerationOptions(ReferenceHandler = JsonKnownReferenceHandler.Preserve, MaxDepth = 1000)]
[JsonSerializable(typeof(TreeNode))]
internal sealed partial class ReferenceJsonContext : JsonSerializerContext;

internal static class JsonCodec
{
    /// <summary>
    /// The serializer writes valid JSON: no need to check that once more. Nothing here goes into a page of HTML, so that letters beyond
    /// ASCII need no escapes.
    /// </summary>
    public static readonly JsonWriterOptions WriterOptions = new()
    {
        SkipValidation = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };
}

internal readonly struct JsonCodec<T>(JsonTypeInfo<T> type) : ICodec<T>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);
    private readonly Utf8JsonWriter _writer = new(new ArrayBufferWriter<byte>(), JsonCodec.WriterOptions);

    public ReadOnlySpan<byte> Write(T value)
    {
        _output.ResetWrittenCount();
        _writer.Reset(_output);
        JsonSerializer.Serialize(_writer, value, type);
        return _output.WrittenSpan;
    }

    public T Read(ReadOnlySpan<byte> payload) => JsonSerializer.Deserialize(payload, type)!;
}

/// <summary>The message is declared as <see cref="IMessage"/>, and the payload says which one it is.</summary>
internal readonly struct JsonMessageCodec<T>(JsonTypeInfo<IMessage> type) : ICodec<T>
{
    private readonly JsonCodec<IMessage> _messages = new(type);

    public ReadOnlySpan<byte> Write(T value) => _messages.Write((IMessage)(object)value!);

    public T Read(ReadOnlySpan<byte> payload) => (T)_messages.Read(payload);
}

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

internal readonly struct RemarkJsonCodec(JsonTypeInfo<Remark> type) : ICodec<object>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);
    private readonly Utf8JsonWriter _writer = new(new ArrayBufferWriter<byte>(), JsonCodec.WriterOptions);

    public ReadOnlySpan<byte> Write(object value)
    {
        _output.ResetWrittenCount();
        _writer.Reset(_output);
        JsonSerializer.Serialize(_writer, (Remark)value, type);
        return _output.WrittenSpan;
    }

    public object Read(ReadOnlySpan<byte> payload) => JsonSerializer.Deserialize(payload, type)!;
}

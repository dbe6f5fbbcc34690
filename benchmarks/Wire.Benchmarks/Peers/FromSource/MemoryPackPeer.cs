using System.Buffers;
using System.Collections.Immutable;
using Bench.FSharp;
using MemoryPack;
using Microsoft.FSharp.Collections;

namespace Wire.Benchmarks.Peers;

/// <summary>
/// MemoryPack with code generated at build time: the type in code, or one of the union that an interface lists. Texts are UTF-8, which is
/// its default; where there is much of them, a row has its UTF-16.
/// </summary>
internal sealed class MemoryPackPeer : SourcePeer
{
    public override string Name => "MemoryPack";

    private static MemoryPackSerializerOptions Utf8 => MemoryPackSerializerOptions.Utf8;

    private static MemoryPackSerializerOptions Utf16 => MemoryPackSerializerOptions.Utf16;

    private string Union => $"{Name}, union";

    private string InUtf16 => $"{Name}, UTF-16";

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<Poco> poco =>
        [
            poco.Row(Name, Typing.Static, new PocoMemoryPackCodec(Utf8)),
            poco.Row(InUtf16, Typing.Static, new PocoMemoryPackCodec(Utf16)),
            poco.Row(Union, Typing.Union, new MemoryPackMessageCodec<Poco>(Utf8)),
        ],
        Scenario<OneInt> number =>
        [
            number.Row(Name, Typing.Static, new OneIntMemoryPackCodec(Utf8)),
            number.Row(Union, Typing.Union, new MemoryPackMessageCodec<OneInt>(Utf8)),
        ],
        Scenario<Order> order =>
        [
            order.Row(Name, Typing.Static, new MemoryPackCodec<Order>(Utf8)),
            order.Row(Union, Typing.Union, new MemoryPackMessageCodec<Order>(Utf8)),
        ],
        Scenario<string> text =>
        [
            text.Row(Name, Typing.Static, new MemoryPackCodec<string>(Utf8)),
            text.Row(InUtf16, Typing.Static, new MemoryPackCodec<string>(Utf16)),
        ],
        Scenario<List<Poco>> or Scenario<Poco[]> or Scenario<Dictionary<string, Poco>> or Scenario<ImmutableList<Poco>>
            or Scenario<int[]> => [scenario.Row(Name, Typing.Static, new MemoryPackCodec<T>(Utf8))],
        Scenario<List<Figure>> or Scenario<List<IShape>> => [scenario.Row(Union, Typing.Union, new MemoryPackCodec<T>(Utf8))],
        Scenario<Conversation> conversation =>
            [conversation.Row(Union, Typing.Union, new ConversationOf<MemoryPackMessageCodec<object>>(new(Utf8)))],
        Scenario<TreeNode> => [scenario.Row($"{Name}, circular references", Typing.Static, new MemoryPackCodec<T>(Utf8))],
        Scenario<object?[]> => [scenario.Cannot(Name, Typing.Union, "has no code for members of type object")],
        Scenario<FSharpList<Event>> => [scenario.Cannot(Name, Typing.Static, "generates code for C# only")],
        _ => [],
    };

    public override IEnumerable<Row> Rows(Traffic traffic)
    {
        if (traffic.Name == Traffic.VariedText)
        {
            yield return traffic.Row(Name, Typing.Static, new RemarkMemoryPackCodec(Utf8));
            yield return traffic.Row(InUtf16, Typing.Static, new RemarkMemoryPackCodec(Utf16));
        }

        if (traffic.Name is Traffic.MixedTypes or Traffic.VariedText)
        {
            yield return traffic.Row(Union, Typing.Union, new MemoryPackMessageCodec<object>(Utf8));
        }
    }
}

internal readonly struct MemoryPackCodec<T>(MemoryPackSerializerOptions options) : ICodec<T>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(T value)
    {
        _output.ResetWrittenCount();
        MemoryPackSerializer.Serialize(_output, value, options);
        return _output.WrittenSpan;
    }

    public T Read(ReadOnlySpan<byte> payload) => MemoryPackSerializer.Deserialize<T>(payload, options)!;
}

/// <summary>The message is declared as <see cref="IMessage"/>, and the payload says which one it is.</summary>
internal readonly struct MemoryPackMessageCodec<T>(MemoryPackSerializerOptions options) : ICodec<T>
    where T : class
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(T value)
    {
        _output.ResetWrittenCount();
        MemoryPackSerializer.Serialize(_output, (IMessage)(object)value, options);
        return _output.WrittenSpan;
    }

    public T Read(ReadOnlySpan<byte> payload) => (T)MemoryPackSerializer.Deserialize<IMessage>(payload, options)!;
}

// As MemoryPackCodec, for the messages of nanoseconds: they name the class, for the same reason as the codecs of Wire do.

internal readonly struct PocoMemoryPackCodec(MemoryPackSerializerOptions options) : ICodec<Poco>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(Poco value)
    {
        _output.ResetWrittenCount();
        MemoryPackSerializer.Serialize(_output, value, options);
        return _output.WrittenSpan;
    }

    public Poco Read(ReadOnlySpan<byte> payload) => MemoryPackSerializer.Deserialize<Poco>(payload, options)!;
}

internal readonly struct OneIntMemoryPackCodec(MemoryPackSerializerOptions options) : ICodec<OneInt>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(OneInt value)
    {
        _output.ResetWrittenCount();
        MemoryPackSerializer.Serialize(_output, value, options);
        return _output.WrittenSpan;
    }

    public OneInt Read(ReadOnlySpan<byte> payload) => MemoryPackSerializer.Deserialize<OneInt>(payload, options)!;
}

internal readonly struct RemarkMemoryPackCodec(MemoryPackSerializerOptions options) : ICodec<object>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(object value)
    {
        _output.ResetWrittenCount();
        MemoryPackSerializer.Serialize(_output, (Remark)value, options);
        return _output.WrittenSpan;
    }

    public object Read(ReadOnlySpan<byte> payload) => MemoryPackSerializer.Deserialize<Remark>(payload, options)!;
}

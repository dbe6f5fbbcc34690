using System.Buffers;
using System.Collections.Immutable;
using Bench.FSharp;
using Microsoft.FSharp.Collections;
using Nino.Core;

namespace Wire.Benchmarks.Peers;

/// <summary>
/// Nino with code generated at build time: the type in code, one of those that implement an interface, or found by the number that
/// stands for it. It writes texts as UTF-16, and times as the platform has them in memory.
/// </summary>
internal sealed class NinoPeer : SourcePeer
{
    public override string Name => "Nino";

    private string OfInterface => $"{Name}, interface";

    private string ByNumber => $"{Name}, type by number";

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<Poco> poco =>
        [
            poco.Row(Name, Typing.Static, new PocoNinoCodec()),
            poco.Row(ByNumber, Typing.Polymorphic, new NinoObjectCodec<Poco>()),
        ],
        Scenario<OneInt> number =>
        [
            number.Row(Name, Typing.Static, new OneIntNinoCodec()),
            number.Row(ByNumber, Typing.Polymorphic, new NinoObjectCodec<OneInt>()),
        ],
        Scenario<Order> order =>
        [
            order.Row(Name, Typing.Static, new NinoCodec<Order>()),
            order.Row(ByNumber, Typing.Polymorphic, new NinoObjectCodec<Order>()),
        ],
        Scenario<List<Poco>> or Scenario<Poco[]> or Scenario<Dictionary<string, Poco>> or Scenario<ImmutableList<Poco>>
            or Scenario<int[]> or Scenario<string> => [scenario.Row(Name, Typing.Static, new NinoCodec<T>())],
        Scenario<List<Figure>> or Scenario<List<IShape>> =>
            [scenario.Row(OfInterface, Typing.Union, new NinoCodec<T>())],
        Scenario<Conversation> conversation =>
        [
            conversation.Row(OfInterface, Typing.Union, new ConversationOf<NinoMessageCodec>(new())),
            conversation.Row(ByNumber, Typing.Polymorphic, new ConversationOf<NinoObjectCodec<object>>(new())),
        ],
        Scenario<TreeNode> => [scenario.Cannot(Name, Typing.Static, "writes trees, without references")],
        Scenario<object?[]> => [scenario.Cannot(Name, Typing.Polymorphic, "has no code for members of type object")],
        Scenario<FSharpList<Event>> => [scenario.Cannot(Name, Typing.Static, "generates code for C# only")],
        _ => [],
    };

    public override IEnumerable<Row> Rows(Traffic traffic)
    {
        if (traffic.Name == Traffic.VariedText)
        {
            yield return traffic.Row(Name, Typing.Static, new RemarkNinoCodec());
        }

        if (traffic.Name is Traffic.MixedTypes or Traffic.VariedText)
        {
            yield return traffic.Row(OfInterface, Typing.Union, new NinoMessageCodec());
            yield return traffic.Row(ByNumber, Typing.Polymorphic, new NinoObjectCodec<object>());
        }
    }
}

/// <summary>What Nino writes to: the memory of all others, behind its own interface.</summary>
internal sealed class NinoOutput
{
    private readonly ArrayBufferWriter<byte> _memory = new(1024);

    private readonly NinoArrayBufferWriter _writer;

    public NinoOutput() => _writer = new NinoArrayBufferWriter(_memory);

    public ReadOnlySpan<byte> Written => _memory.WrittenSpan;

    public NinoArrayBufferWriter Start()
    {
        _memory.ResetWrittenCount();
        return _writer;
    }
}

internal readonly struct NinoCodec<T>() : ICodec<T>
{
    private readonly NinoOutput _output = new();

    public ReadOnlySpan<byte> Write(T value)
    {
        NinoSerializer.Serialize(value, _output.Start());
        return _output.Written;
    }

    public T Read(ReadOnlySpan<byte> payload) => NinoDeserializer.Deserialize<T>(payload);
}

/// <summary>The payload begins with a number that stands for the type.</summary>
internal readonly struct NinoObjectCodec<T>() : ICodec<T>
    where T : class
{
    private readonly NinoOutput _output = new();

    public ReadOnlySpan<byte> Write(T value)
    {
        NinoSerializer.Serialize((object)value, _output.Start());
        return _output.Written;
    }

    public T Read(ReadOnlySpan<byte> payload) => (T)NinoDeserializer.Deserialize(payload, null);
}

/// <summary>The message is declared as <see cref="IMessage"/>.</summary>
internal readonly struct NinoMessageCodec() : ICodec<object>
{
    private readonly NinoOutput _output = new();

    public ReadOnlySpan<byte> Write(object value)
    {
        NinoSerializer.Serialize((IMessage)value, _output.Start());
        return _output.Written;
    }

    public object Read(ReadOnlySpan<byte> payload) => NinoDeserializer.Deserialize<IMessage>(payload);
}

// As NinoCodec, for the messages of nanoseconds: they name the class, for the same reason as the codecs of Wire do.

internal readonly struct PocoNinoCodec() : ICodec<Poco>
{
    private readonly NinoOutput _output = new();

    public ReadOnlySpan<byte> Write(Poco value)
    {
        NinoSerializer.Serialize(value, _output.Start());
        return _output.Written;
    }

    public Poco Read(ReadOnlySpan<byte> payload) => NinoDeserializer.Deserialize<Poco>(payload);
}

internal readonly struct OneIntNinoCodec() : ICodec<OneInt>
{
    private readonly NinoOutput _output = new();

    public ReadOnlySpan<byte> Write(OneInt value)
    {
        NinoSerializer.Serialize(value, _output.Start());
        return _output.Written;
    }

    public OneInt Read(ReadOnlySpan<byte> payload) => NinoDeserializer.Deserialize<OneInt>(payload);
}

internal readonly struct RemarkNinoCodec() : ICodec<object>
{
    private readonly NinoOutput _output = new();

    public ReadOnlySpan<byte> Write(object value)
    {
        NinoSerializer.Serialize((Remark)value, _output.Start());
        return _output.Written;
    }

    public object Read(ReadOnlySpan<byte> payload) => NinoDeserializer.Deserialize<Remark>(payload);
}

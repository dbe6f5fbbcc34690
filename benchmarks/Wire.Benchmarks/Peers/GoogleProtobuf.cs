using System.Buffers;
using System.Collections.Immutable;
using Bench.FSharp;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Google.Protobuf.WellKnownTypes;
using Microsoft.FSharp.Collections;

namespace Wire.Benchmarks.Peers;

/// <summary>
/// Google.Protobuf with classes generated from bench.proto. What is written and read are those classes: mapping the model to them, which
/// a program that does not use them throughout would pay on top, is not timed.
/// </summary>
internal sealed class GoogleProtobuf : Peer
{
    public override string Name => "Google.Protobuf";

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<Poco> poco => Rows(poco, Proto.Poco.Parser, ProtoMap.To, ProtoMap.From),
        Scenario<OneInt> number => Rows(number, Proto.OneInt.Parser, ProtoMap.To, ProtoMap.From),
        Scenario<Order> order => Rows(order, Proto.Order.Parser, ProtoMap.To, ProtoMap.From),
        Scenario<List<Poco>> list => Rows(list, Proto.PocoList.Parser, ProtoMap.To, ProtoMap.From),
        Scenario<Dictionary<string, Poco>> map => Rows(map, Proto.PocoMap.Parser, ProtoMap.To, ProtoMap.From),
        Scenario<Poco[]> array => Rows(array, Proto.PocoList.Parser, ProtoMap.To, ProtoMap.ToArray),
        Scenario<ImmutableList<Poco>> list => Rows(list, Proto.PocoList.Parser, ProtoMap.To, ProtoMap.ToImmutable),
        Scenario<int[]> ints => Rows(ints, Proto.Ints.Parser, ProtoMap.To, ProtoMap.From),
        Scenario<string> text => Rows(text, Proto.Text.Parser, ProtoMap.To, ProtoMap.From),

        // Messages are trees, without references: here without the links to the nodes above.
        Scenario<TreeNode> tree =>
            [tree.Row($"{Name}, without parents", Typing.Static, Codec(Proto.TreeNode.Parser), ProtoMap.To, ProtoMap.From)],

        // The payload says which of those that the message lists each one is.
        Scenario<List<Figure>> figures =>
            [figures.Row(OneOf, Typing.Union, Codec(Proto.FigureList.Parser), ProtoMap.To, ProtoMap.From)],
        Scenario<List<IShape>> shapes =>
            [shapes.Row(OneOf, Typing.Union, Codec(Proto.ShapeList.Parser), ProtoMap.To, ProtoMap.From)],
        Scenario<object?[]> arguments =>
            [arguments.Row(OneOf, Typing.Union, Codec(Proto.Arguments.Parser), ProtoMap.To, ProtoMap.From)],
        Scenario<FSharpList<Event>> events =>
            [events.Row(OneOf, Typing.Union, Codec(Proto.EventList.Parser), ProtoMap.To, ProtoMap.From)],
        Scenario<Conversation> conversation =>
        [
            conversation.Row(
                OneOf,
                Typing.Union,
                new ConversationOf<MessageCodec>(new()),
                value => new Conversation([.. value.Messages.Select(ProtoMap.ToMessage)]),
                value => new Conversation([.. value.Messages.Select(message => ProtoMap.FromMessage((Proto.Message)message))])),
        ],
        _ => [],
    };

    public override IEnumerable<Row> Rows(Traffic traffic) => traffic.Name switch
    {
        Traffic.MixedTypes =>
        [
            traffic.Row(
                OneOf,
                Typing.Union,
                new MessageCodec(),
                ProtoMap.ToMessage,
                message => ProtoMap.FromMessage((Proto.Message)message)),
        ],
        Traffic.VariedText => [traffic.Row(Name, Typing.Static, new RemarkCodec(), ProtoMap.ToRemark, ProtoMap.FromRemark)],
        _ => [],
    };

    private string OneOf => $"{Name}, oneof";

    private static ProtobufCodec<T> Codec<T>(MessageParser<T> parser)
        where T : IMessage<T> => new(parser);

    private IEnumerable<Row> Rows<T, TOwn>(Scenario<T> scenario, MessageParser<TOwn> parser, Func<T, TOwn> to, Func<TOwn, T> from)
        where T : class
        where TOwn : class, IMessage<TOwn> =>
    [
        scenario.Row(Name, Typing.Static, new ProtobufCodec<TOwn>(parser), to, from),
        scenario.Row(
            $"{Name}, Any", Typing.Polymorphic, new AnyCodec<TOwn>(TypeRegistry.FromFiles(Proto.BenchReflection.Descriptor)), to, from),
    ];
}

/// <summary>Both sides know which message it is.</summary>
internal readonly struct ProtobufCodec<T>(MessageParser<T> parser) : ICodec<T>
    where T : IMessage<T>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(T value)
    {
        _output.ResetWrittenCount();
        value.WriteTo(_output);
        return _output.WrittenSpan;
    }

    public T Read(ReadOnlySpan<byte> payload) => parser.ParseFrom(payload);
}

/// <summary>The name of the message is in the payload, and looked up on read.</summary>
internal readonly struct AnyCodec<T>(TypeRegistry registry) : ICodec<T>
    where T : class, IMessage<T>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(T value)
    {
        _output.ResetWrittenCount();
        Any.Pack(value).WriteTo(_output);
        return _output.WrittenSpan;
    }

    public T Read(ReadOnlySpan<byte> payload) => (T)Any.Parser.ParseFrom(payload).Unpack(registry);
}

// Of the traffics, where messages are objects and take nanoseconds: the class is named here.

/// <summary>One of the classes that are mixed.</summary>
internal readonly struct MessageCodec() : ICodec<object>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(object value)
    {
        _output.ResetWrittenCount();
        ((Proto.Message)value).WriteTo(_output);
        return _output.WrittenSpan;
    }

    public object Read(ReadOnlySpan<byte> payload) => Proto.Message.Parser.ParseFrom(payload);
}

/// <summary>The class that both sides know.</summary>
internal readonly struct RemarkCodec() : ICodec<object>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(object value)
    {
        _output.ResetWrittenCount();
        ((Proto.Remark)value).WriteTo(_output);
        return _output.WrittenSpan;
    }

    public object Read(ReadOnlySpan<byte> payload) => Proto.Remark.Parser.ParseFrom(payload);
}

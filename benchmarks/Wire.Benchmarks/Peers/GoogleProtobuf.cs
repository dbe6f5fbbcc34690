using System.Buffers;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Google.Protobuf.WellKnownTypes;

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
        Scenario<int[]> ints => Rows(ints, Proto.Ints.Parser, ProtoMap.To, ProtoMap.From),

        // A oneof: the payload says which of the five each one is.
        Scenario<List<Figure>> figures =>
            [figures.Row(
                Name, Typing.Polymorphic, new ProtobufCodec<Proto.FigureList>(Proto.FigureList.Parser), ProtoMap.To, ProtoMap.From)],
        Scenario<TreeNode> => [scenario.Cannot(Name, Typing.Static, "messages are trees, without references")],
        Scenario<object?[]> => [scenario.Cannot(Name, Typing.Polymorphic, "no message for values of any type")],
        _ => [],
    };

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

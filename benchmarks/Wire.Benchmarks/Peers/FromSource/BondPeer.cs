using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Bench.FSharp;
using Bond;
using Bond.IO.Safe;
using Bond.Protocols;
using Microsoft.FSharp.Collections;
using IMessage = Google.Protobuf.IMessage;

namespace Wire.Benchmarks.Peers;

/// <summary>
/// Bond with classes of its own, in the faster of its binary formats, and for the smaller messages in the shorter one as well. Mapping the
/// model to those classes is not timed.
/// </summary>
internal sealed class BondPeer : SourcePeer
{
    public override string Name => "Bond";

    private string Fast => $"{Name}, FastBinary";

    private string Compact => $"{Name}, CompactBinary";

    private string Union => $"{Name}, nullable members";

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<Poco> poco => Both<Poco, Proto.Poco, InBond.Poco>(poco, ProtoMap.To, ProtoMap.From),
        Scenario<OneInt> number => Both<OneInt, Proto.OneInt, InBond.OneInt>(number, ProtoMap.To, ProtoMap.From),
        Scenario<Order> order => Both<Order, Proto.Order, InBond.Order>(order, ProtoMap.To, ProtoMap.From),
        Scenario<List<Poco>> list => Both<List<Poco>, Proto.PocoList, InBond.PocoList>(list, ProtoMap.To, ProtoMap.From),
        Scenario<Poco[]> array => [Row<Poco[], Proto.PocoList, InBond.PocoList>(array, ProtoMap.To, ProtoMap.ToArray)],
        Scenario<ImmutableList<Poco>> list =>
            [Row<ImmutableList<Poco>, Proto.PocoList, InBond.PocoList>(list, ProtoMap.To, ProtoMap.ToImmutable)],
        Scenario<Dictionary<string, Poco>> map =>
            [Row<Dictionary<string, Poco>, Proto.PocoMap, InBond.PocoMap>(map, ProtoMap.To, ProtoMap.From)],
        Scenario<int[]> ints => [Row<int[], Proto.Ints, InBond.Ints>(ints, ProtoMap.To, ProtoMap.From)],
        Scenario<string> text => [Row<string, Proto.Text, InBond.Text>(text, ProtoMap.To, ProtoMap.From)],
        Scenario<TreeNode> tree =>
            [Row<TreeNode, Proto.TreeNode, InBond.TreeNode>(tree, ProtoMap.To, ProtoMap.From, $"{Name}, without parents", Typing.Static)],
        Scenario<List<Figure>> figures =>
            [Row<List<Figure>, Proto.FigureList, InBond.FigureList>(figures, ProtoMap.To, ProtoMap.From, Union, Typing.Union)],
        Scenario<List<IShape>> shapes =>
            [Row<List<IShape>, Proto.ShapeList, InBond.ShapeList>(shapes, ProtoMap.To, ProtoMap.From, Union, Typing.Union)],
        Scenario<object?[]> arguments =>
            [Row<object?[], Proto.Arguments, InBond.Arguments>(arguments, ProtoMap.To, ProtoMap.From, Union, Typing.Union)],
        Scenario<FSharpList<Event>> events =>
            [Row<FSharpList<Event>, Proto.EventList, InBond.EventList>(events, ProtoMap.To, ProtoMap.From, Union, Typing.Union)],
        Scenario<Conversation> conversation =>
        [
            conversation.Row(
                Union,
                Typing.Union,
                new ConversationOf<BondFastCodec<object>>(new(typeof(InBond.Message))),
                value => new Conversation([.. value.Messages.Select(ToMessage)]),
                value => new Conversation([.. value.Messages.Select(FromMessage)])),
        ],
        _ => [],
    };

    public override IEnumerable<Row> Rows(Traffic traffic) => traffic.Name switch
    {
        Traffic.MixedTypes =>
        [
            traffic.Row(
                $"{Union}, FastBinary", Typing.Union, new BondFastCodec<object>(typeof(InBond.Message)), ToMessage, FromMessage),
            traffic.Row(
                $"{Union}, CompactBinary", Typing.Union, new BondCompactCodec<object>(typeof(InBond.Message)), ToMessage, FromMessage),
        ],
        Traffic.VariedText =>
        [
            traffic.Row(Fast, Typing.Static, new BondFastCodec<object>(typeof(InBond.Remark)), ToRemark, FromRemark),
            traffic.Row(Compact, Typing.Static, new BondCompactCodec<object>(typeof(InBond.Remark)), ToRemark, FromRemark),
        ],
        _ => [],
    };

    private static object ToMessage(object message) => BondMap.To<InBond.Message>(ProtoMap.ToMessage(message));

    private static object FromMessage(object own) => ProtoMap.FromMessage(BondMap.From<Proto.Message>(own));

    private static object ToRemark(object remark) => BondMap.To<InBond.Remark>(ProtoMap.ToRemark(remark));

    private static object FromRemark(object own) => ProtoMap.FromRemark(BondMap.From<Proto.Remark>(own));

    private IEnumerable<Row> Both<T, TProto, TOwn>(Scenario<T> scenario, Func<T, TProto> to, Func<TProto, T> from)
        where T : class
        where TProto : IMessage
        where TOwn : class =>
    [
        Row<T, TProto, TOwn>(scenario, to, from),
        scenario.Row(
            Compact,
            Typing.Static,
            new BondCompactCodec<TOwn>(typeof(TOwn)),
            value => BondMap.To<TOwn>(to(value)),
            own => from(BondMap.From<TProto>(own))),
    ];

    private Row Row<T, TProto, TOwn>(
        Scenario<T> scenario, Func<T, TProto> to, Func<TProto, T> from, string? name = null, Typing typing = Typing.Static)
        where T : class
        where TProto : IMessage
        where TOwn : class =>
        scenario.Row(
            name ?? Fast,
            typing,
            new BondFastCodec<TOwn>(typeof(TOwn)),
            value => BondMap.To<TOwn>(to(value)),
            own => from(BondMap.From<TProto>(own)));
}

/// <summary>Memory that is used again, and the code for a class, which Bond makes when it is first needed.</summary>
internal sealed class BondCode<TWriter, TReader>(Type type)
{
    // Bytes that have been read are a part of the input, and not a copy.
    private readonly bool _keepsInput =
        Array.Exists(type.GetProperties(), property => property.PropertyType == typeof(ArraySegment<byte>));

    private byte[] _input = new byte[1024];

    public OutputBuffer Output { get; } = new(1024);

    public Serializer<TWriter> Serializer => field ??= new Serializer<TWriter>(type);

    public Deserializer<TReader> Deserializer => field ??= new Deserializer<TReader>(type);

    /// <summary>A payload where Bond can read it: from an array, of its own where what is read holds on to it.</summary>
    public InputBuffer Input(ReadOnlySpan<byte> payload)
    {
        if (_keepsInput || _input.Length < payload.Length)
        {
            _input = new byte[payload.Length];
        }

        payload.CopyTo(_input);
        return new InputBuffer(_input, payload.Length);
    }
}

/// <summary>The format that is written and read faster.</summary>
internal readonly struct BondFastCodec<T>(Type type) : ICodec<T>
    where T : class
{
    private readonly BondCode<FastBinaryWriter<OutputBuffer>, FastBinaryReader<InputBuffer>> _code = new(type);

    public ReadOnlySpan<byte> Write(T value)
    {
        _code.Output.Position = 0;
        _code.Serializer.Serialize(value, new FastBinaryWriter<OutputBuffer>(_code.Output));
        return _code.Output.Data;
    }

    // Of the type that the codec was made for: in code that is shared by all classes a cast would have to look it up.
    public T Read(ReadOnlySpan<byte> payload) =>
        Unsafe.As<T>(_code.Deserializer.Deserialize(new FastBinaryReader<InputBuffer>(_code.Input(payload))));
}

/// <summary>The format that is shorter.</summary>
internal readonly struct BondCompactCodec<T>(Type type) : ICodec<T>
    where T : class
{
    private readonly BondCode<CompactBinaryWriter<OutputBuffer>, CompactBinaryReader<InputBuffer>> _code = new(type);

    public ReadOnlySpan<byte> Write(T value)
    {
        _code.Output.Position = 0;
        _code.Serializer.Serialize(value, new CompactBinaryWriter<OutputBuffer>(_code.Output));
        return _code.Output.Data;
    }

    public T Read(ReadOnlySpan<byte> payload) =>
        Unsafe.As<T>(_code.Deserializer.Deserialize(new CompactBinaryReader<InputBuffer>(_code.Input(payload))));
}

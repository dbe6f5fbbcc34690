using System.Buffers;
using System.Collections.Immutable;
using System.Reflection;
using System.Runtime.CompilerServices;
using Bench;
using ProtoBuf;
using ProtoBuf.Meta;

namespace Wire.Benchmarks;

/// <summary>protobuf-net on the classes of the model, with a compiled model of members by number. Polymorphic means known sub-types of an interface.</summary>
internal sealed class ProtobufNetPeer : Peer
{
    private static readonly Type[] Messages = [typeof(Poco), typeof(OneInt), typeof(Order)];
    private static readonly Type[] Shapes = [typeof(Dot), typeof(Circle), typeof(Box), typeof(Label), typeof(Switch)];

    public override string Name => "protobuf-net";

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<Poco> poco =>
        [
            poco.Row(Name, Typing.Static, new PocoProtobufNetCodec(Model(null, Messages).Compile())),
            poco.Row($"{Name}, sub-types", Typing.Polymorphic, new PocoProtobufNetPolymorphicCodec(Model(typeof(IMessage), Messages).Compile())),
        ],
        Scenario<OneInt> number =>
        [
            number.Row(Name, Typing.Static, new OneIntProtobufNetCodec(Model(null, Messages).Compile())),
            number.Row($"{Name}, sub-types", Typing.Polymorphic, new OneIntProtobufNetPolymorphicCodec(Model(typeof(IMessage), Messages).Compile())),
        ],
        Scenario<Order> =>
        [
            Static(scenario),
            scenario.Row($"{Name}, sub-types", Typing.Polymorphic, new ProtobufNetCodec<T, IMessage>(Model(typeof(IMessage), Messages))),
        ],
        Scenario<List<Poco>> or Scenario<Poco[]> or Scenario<Dictionary<string, Poco>> or Scenario<ImmutableList<Poco>>
            or Scenario<ImmutableDictionary<string, Poco>> => [Static(scenario)],
        Scenario<List<Figure>> => [scenario.Row($"{Name}, sub-types", Typing.Polymorphic, new ProtobufNetCodec<T, T>(Model(typeof(IShape), [typeof(Figure), .. Shapes])))],
        Scenario<TreeNode> => [scenario.Cannot(Name, Typing.Static, "trees only, without references")],
        Scenario<object?[]> => [scenario.Cannot(Name, Typing.Polymorphic, "no serializer for object")],
        _ => [],
    };

    private Row Static<T>(Scenario<T> scenario)
        where T : class => scenario.Row(Name, Typing.Static, new ProtobufNetCodec<T, T>(Model(null, Messages)));

    private static RuntimeTypeModel Model(Type? root, Type[] types)
    {
        RuntimeTypeModel model = RuntimeTypeModel.Create();
        model.IncludeDateTimeKind = true;
        model.Add(typeof(DateTimeOffset), applyDefaultBehaviour: false).SetSurrogate(typeof(TicksAndOffset));
        foreach (Type type in types)
        {
            MetaType meta = model.Add(type, applyDefaultBehaviour: false);
            foreach ((int index, PropertyInfo property) in type.GetProperties().Index())
            {
                meta.Add(index + 1, property.Name);
            }
        }

        if (root is not null)
        {
            MetaType meta = model.Add(root, applyDefaultBehaviour: false);
            foreach ((int index, Type type) in types.Where(root.IsAssignableFrom).Index())
            {
                meta.AddSubType(index + 1, type);
            }
        }

        model.CompileInPlace();
        return model;
    }
}

/// <summary>A value, declared as <typeparamref name="TDeclared"/>.</summary>
internal readonly struct ProtobufNetCodec<T, TDeclared>(RuntimeTypeModel model) : ICodec<T>
    where T : class
    where TDeclared : class
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(T value)
    {
        _output.ResetWrittenCount();
        model.Serialize(_output, Unsafe.As<TDeclared>(value));
        return _output.WrittenSpan;
    }

    public T Read(ReadOnlySpan<byte> payload) => (T)(object)model.Deserialize<TDeclared>(payload);
}

// Where a message takes nanoseconds, the codecs name its class, as those of Wire do: generic code would look it up each time.

internal readonly struct PocoProtobufNetCodec(TypeModel model) : ICodec<Poco>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(Poco value)
    {
        _output.ResetWrittenCount();
        model.Serialize(_output, value);
        return _output.WrittenSpan;
    }

    public Poco Read(ReadOnlySpan<byte> payload) => model.Deserialize<Poco>(payload);
}

internal readonly struct PocoProtobufNetPolymorphicCodec(TypeModel model) : ICodec<Poco>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(Poco value)
    {
        _output.ResetWrittenCount();
        model.Serialize<IMessage>(_output, value);
        return _output.WrittenSpan;
    }

    public Poco Read(ReadOnlySpan<byte> payload) => (Poco)model.Deserialize<IMessage>(payload);
}

internal readonly struct OneIntProtobufNetCodec(TypeModel model) : ICodec<OneInt>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(OneInt value)
    {
        _output.ResetWrittenCount();
        model.Serialize(_output, value);
        return _output.WrittenSpan;
    }

    public OneInt Read(ReadOnlySpan<byte> payload) => model.Deserialize<OneInt>(payload);
}

internal readonly struct OneIntProtobufNetPolymorphicCodec(TypeModel model) : ICodec<OneInt>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(OneInt value)
    {
        _output.ResetWrittenCount();
        model.Serialize<IMessage>(_output, value);
        return _output.WrittenSpan;
    }

    public OneInt Read(ReadOnlySpan<byte> payload) => (OneInt)model.Deserialize<IMessage>(payload);
}

/// <summary>What stands for a point in time with an offset, for which the library has no way of its own.</summary>
[ProtoContract]
public struct TicksAndOffset
{
    [ProtoMember(1, DataFormat = DataFormat.FixedSize)]
    public long Ticks { get; set; }

    [ProtoMember(2)]
    public int Minutes { get; set; }

    public static implicit operator TicksAndOffset(DateTimeOffset value) => new() { Ticks = value.Ticks, Minutes = value.TotalOffsetMinutes };

    public static implicit operator DateTimeOffset(TicksAndOffset value) => new(value.Ticks, TimeSpan.FromMinutes(value.Minutes));
}

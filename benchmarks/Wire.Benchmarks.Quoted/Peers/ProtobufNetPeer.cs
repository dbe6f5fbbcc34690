using System.Buffers;
using System.Reflection;
using ProtoBuf.Meta;

namespace Wire.Benchmarks.Quoted.Peers;

/// <summary>protobuf-net, with a model that is compiled at run time, and kinds of dates. It has no identities.</summary>
internal sealed class ProtobufNetPeer : PackagePeer
{
    private static readonly Type[] Types =
    [
        typeof(Answer), typeof(Comment), typeof(ShallowUser), typeof(BadgeCount), typeof(MediaContent), typeof(Media), typeof(Image),
        typeof(SimplePoco), typeof(Book), typeof(ReferenceBookShelf), typeof(ReferenceBook), typeof(Logs), typeof(Log), typeof(Address),
    ];

    public override string Name => "protobuf-net";

    protected override Assembly Assembly => typeof(RuntimeTypeModel).Assembly;

    public override ICodec<T> Codec<T>() => Create<T>();

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<SimplePoco> poco => [poco.Row(Name, Typing.Static, new SimplePocoProtobufNetCodec(Model()))],
        Scenario<ReferenceBookShelf> => [new RefusedRow(scenario, scenario.Row(Name, Typing.Static, Create<T>()))],
        _ => [scenario.Row(Name, Typing.Static, Create<T>())],
    };

    private static ProtobufNetCodec<T> Create<T>() => new(Model());

    // Members by number, from 1.
    private static RuntimeTypeModel Model()
    {
        RuntimeTypeModel model = RuntimeTypeModel.Create();
        model.IncludeDateTimeKind = true;
        model.Add<BookShelf>(applyDefaultBehaviour: false).Add("Books", "_secret");
        foreach (Type type in Types)
        {
            IEnumerable<MemberInfo> members = type.GetMembers(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly);
            model.Add(type, applyDefaultBehaviour: false)
                .Add([.. members.Where(member => member is PropertyInfo or FieldInfo).Select(member => member.Name)]);
        }

        model.CompileInPlace();
        return model;
    }
}

internal readonly struct ProtobufNetCodec<T>(RuntimeTypeModel model) : ICodec<T>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(T value)
    {
        _output.ResetWrittenCount();
        model.Serialize(_output, value);
        return _output.WrittenSpan;
    }

    public T Read(ReadOnlySpan<byte> payload) => model.Deserialize<T>(payload);
}

internal readonly struct SimplePocoProtobufNetCodec(RuntimeTypeModel model) : ICodec<SimplePoco>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(SimplePoco value)
    {
        _output.ResetWrittenCount();
        model.Serialize(_output, value);
        return _output.WrittenSpan;
    }

    public SimplePoco Read(ReadOnlySpan<byte> payload) => model.Deserialize<SimplePoco>(payload);
}

using System.Buffers;
using System.Reflection;
using MessagePack;
using MessagePack.Resolvers;

namespace Wire.Benchmarks.Quoted.Peers;

/// <summary>MessagePack for C#, with members by number in arrays. It has no identities.</summary>
internal sealed class MessagePackPeer : PackagePeer
{
    public override string Name => "MessagePack";

    protected override Assembly Assembly => typeof(MessagePackSerializer).Assembly;

    // Private fields are written too.
    private static MessagePackSerializerOptions Options { get; } =
        MessagePackSerializerOptions.Standard.WithResolver(StandardResolverAllowPrivate.Instance);

    public override ICodec<T> Codec<T>() => Create<T>();

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<SimplePoco> poco => [poco.Row(Name, Typing.Static, new SimplePocoMessagePackCodec(Options))],
        Scenario<ReferenceBookShelf> => [new RefusedRow(scenario, scenario.Row(Name, Typing.Static, Create<T>()))],
        _ => [scenario.Row(Name, Typing.Static, Create<T>())],
    };

    private static MessagePackCodec<T> Create<T>() => new(Options);
}

internal readonly struct MessagePackCodec<T>(MessagePackSerializerOptions options) : ICodec<T>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);
    private readonly PayloadMemory _input = new();

    public ReadOnlySpan<byte> Write(T value)
    {
        _output.ResetWrittenCount();
        MessagePackSerializer.Serialize(_output, value, options);
        return _output.WrittenSpan;
    }

    public T Read(ReadOnlySpan<byte> payload) => MessagePackSerializer.Deserialize<T>(_input.Of(payload), options);
}

internal readonly struct SimplePocoMessagePackCodec(MessagePackSerializerOptions options) : ICodec<SimplePoco>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);
    private readonly PayloadMemory _input = new();

    public ReadOnlySpan<byte> Write(SimplePoco value)
    {
        _output.ResetWrittenCount();
        MessagePackSerializer.Serialize(_output, value, options);
        return _output.WrittenSpan;
    }

    public SimplePoco Read(ReadOnlySpan<byte> payload) => MessagePackSerializer.Deserialize<SimplePoco>(_input.Of(payload), options);
}

using System.Buffers;
using System.Reflection;
using MemoryPack;

namespace Wire.Benchmarks.Quoted.Peers;

/// <summary>MemoryPack, with code that is generated at build time, and texts in UTF-8, which is its default.</summary>
internal sealed class MemoryPackPeer : PackagePeer
{
    public override string Name => "MemoryPack";

    protected override Assembly Assembly => typeof(MemoryPackSerializer).Assembly;

    public override ICodec<T> Codec<T>() => new MemoryPackCodec<T>();

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<SimplePoco> poco => [poco.Row(Name, Typing.Static, new SimplePocoMemoryPackCodec())],
        _ => [scenario.Row(Name, Typing.Static, new MemoryPackCodec<T>())],
    };
}

internal readonly struct MemoryPackCodec<T>() : ICodec<T>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(T value)
    {
        _output.ResetWrittenCount();
        MemoryPackSerializer.Serialize(_output, value);
        return _output.WrittenSpan;
    }

    public T Read(ReadOnlySpan<byte> payload) => MemoryPackSerializer.Deserialize<T>(payload)!;
}

internal readonly struct SimplePocoMemoryPackCodec() : ICodec<SimplePoco>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(SimplePoco value)
    {
        _output.ResetWrittenCount();
        MemoryPackSerializer.Serialize(_output, value);
        return _output.WrittenSpan;
    }

    public SimplePoco Read(ReadOnlySpan<byte> payload) => MemoryPackSerializer.Deserialize<SimplePoco>(payload)!;
}

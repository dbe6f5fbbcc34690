using System.Buffers;
using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;

namespace Wire.Benchmarks.Quoted.Peers;

/// <summary>
/// Microsoft.Orleans.Serialization, with code that is generated at build time. It keeps identities in every message.
/// </summary>
internal sealed class OrleansPeer : PackagePeer
{
    public override string Name => "Orleans";

    protected override Assembly Assembly => typeof(Serializer<>).Assembly;

    public override ICodec<T> Codec<T>() => Create<T>();

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<SimplePoco> poco => [poco.Row(Name, Typing.Static, new SimplePocoOrleansCodec(Serializer<SimplePoco>()))],
        _ => [scenario.Row(Name, Typing.Static, Create<T>())],
    };

    private static OrleansCodec<T> Create<T>() => new(Serializer<T>());

    private static Serializer<T> Serializer<T>() =>
        new ServiceCollection().AddSerializer().BuildServiceProvider().GetRequiredService<Serializer<T>>();
}

internal readonly struct OrleansCodec<T>(Serializer<T> serializer) : ICodec<T>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(T value)
    {
        _output.ResetWrittenCount();
        serializer.Serialize(value, _output);
        return _output.WrittenSpan;
    }

    public T Read(ReadOnlySpan<byte> payload) => serializer.Deserialize(payload)!;
}

internal readonly struct SimplePocoOrleansCodec(Serializer<SimplePoco> serializer) : ICodec<SimplePoco>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    public ReadOnlySpan<byte> Write(SimplePoco value)
    {
        _output.ResetWrittenCount();
        serializer.Serialize(value, _output);
        return _output.WrittenSpan;
    }

    public SimplePoco Read(ReadOnlySpan<byte> payload) => serializer.Deserialize(payload)!;
}

using System.Buffers;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>Data of which something is added up when it is read, and which all rows write to the same bytes.</summary>
/// <param name="name">What the scenario is called.</param>
/// <param name="checksum">The sum.</param>
/// <typeparam name="TFloor">The code written by hand.</typeparam>
internal abstract class ChecksumScenario<TFloor>(string name, long checksum) : Scenario(name)
    where TFloor : struct, IAmqpCodec<long>
{
    private readonly Lazy<byte[]> _expected = new(static () =>
    {
        var codec = new TFloor();
        codec.Write();
        return codec.Written.ToArray();
    });

    public override int Batch => 10;

    protected Row Floor() => Row("By hand, BinaryPrimitives (floor)", Typing.Floor, new TFloor());

    protected Row Row<TCodec>(string name, Typing typing, TCodec codec)
        where TCodec : struct, IAmqpCodec<long> =>
        new AmqpRow<long, TCodec>(name, typing, codec, sum => sum == checksum, () => _expected.Value);
}

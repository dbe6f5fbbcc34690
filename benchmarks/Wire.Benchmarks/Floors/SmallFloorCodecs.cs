using System.Buffers;
using Bench;

namespace Wire.Benchmarks.Floors;

// As FloorCodec, for the messages of nanoseconds: they name the class, for the same reason as the codecs of Wire do.

internal readonly struct PocoFloorCodec(ArrayBufferWriter<byte> output) : ICodec<Poco>
{
    public ReadOnlySpan<byte> Write(Poco value)
    {
        output.ResetWrittenCount();
        PocoFloor.Write(value, output);
        return output.WrittenSpan;
    }

    public Poco Read(ReadOnlySpan<byte> payload) => PocoFloor.Read(payload);
}

internal readonly struct OneIntFloorCodec(ArrayBufferWriter<byte> output) : ICodec<OneInt>
{
    public ReadOnlySpan<byte> Write(OneInt value)
    {
        output.ResetWrittenCount();
        OneIntFloor.Write(value, output);
        return output.WrittenSpan;
    }

    public OneInt Read(ReadOnlySpan<byte> payload) => OneIntFloor.Read(payload);
}

internal readonly struct OneStringFloorCodec(ArrayBufferWriter<byte> output) : ICodec<OneString>
{
    public ReadOnlySpan<byte> Write(OneString value)
    {
        output.ResetWrittenCount();
        OneStringFloor.Write(value, output);
        return output.WrittenSpan;
    }

    public OneString Read(ReadOnlySpan<byte> payload) => OneStringFloor.Read(payload);
}

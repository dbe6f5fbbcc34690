using System.Buffers;

namespace Wire.Benchmarks.Floors;

/// <summary>
/// Code written by hand for one kind of data, that both sides know: what a good engineer writes with spans, in safe code, to the
/// <see cref="IBufferWriter{T}"/> that the serializers write to as well. No word about types; every length is checked.
/// </summary>
internal interface IFloor<T>
{
    static abstract void Write(T value, IBufferWriter<byte> output);

    static abstract T Read(ReadOnlySpan<byte> payload);
}

/// <summary>Hands a floor to a row.</summary>
internal readonly struct FloorCodec<T, TFloor>(ArrayBufferWriter<byte> output) : ICodec<T>
    where TFloor : struct, IFloor<T>
{
    public ReadOnlySpan<byte> Write(T value)
    {
        output.ResetWrittenCount();
        TFloor.Write(value, output);
        return output.WrittenSpan;
    }

    public T Read(ReadOnlySpan<byte> payload) => TFloor.Read(payload);
}

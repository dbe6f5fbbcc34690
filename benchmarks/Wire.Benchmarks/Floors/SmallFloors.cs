using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Text;

namespace Wire.Benchmarks.Floors;

/// <summary>
/// What a person writes by hand for one type that both sides know, without any word about types: length (1 byte), that many
/// bytes of text, int (4), Guid (16), ticks (8). Safe code over spans with <see cref="BinaryPrimitives"/> and
/// <see cref="Encoding"/>, to the <see cref="IBufferWriter{T}"/> that the serializers write to as well.
/// </summary>
internal readonly struct PocoFloor : IFloor<Poco>
{
    private const int FixedBytes = 1 + sizeof(int) + 16 + sizeof(long);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(Poco value, IBufferWriter<byte> output)
    {
        string text = value.StringProp!;
        Span<byte> span = output.GetSpan(FixedBytes + Encoding.UTF8.GetMaxByteCount(text.Length));
        int length = Encoding.UTF8.GetBytes(text, span[1..]);
        span[0] = checked((byte)length);
        Span<byte> rest = span[(1 + length)..];
        BinaryPrimitives.WriteInt32LittleEndian(rest, value.IntProp);
        value.GuidProp.TryWriteBytes(rest[4..]);
        BinaryPrimitives.WriteInt64LittleEndian(rest[20..], value.DateProp.Ticks);
        output.Advance(FixedBytes + length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static Poco Read(ReadOnlySpan<byte> payload)
    {
        int length = payload[0];
        ReadOnlySpan<byte> rest = payload[(1 + length)..];
        return new Poco
        {
            StringProp = Encoding.UTF8.GetString(payload.Slice(1, length)),
            IntProp = BinaryPrimitives.ReadInt32LittleEndian(rest),
            GuidProp = new Guid(rest.Slice(4, 16)),
            DateProp = new DateTime(BinaryPrimitives.ReadInt64LittleEndian(rest[20..]), DateTimeKind.Utc),
        };
    }
}

/// <summary>A POCO inside of something, laid out as <see cref="PocoFloor"/> does.</summary>
internal static class PocoItem
{
    /// <summary>What each takes at least.</summary>
    public const int MinimumBytes = sizeof(ushort) + sizeof(int) + 16 + sizeof(long);

    public static void Write(Poco value, ref SpanWriter writer)
    {
        writer.Reserve(MinimumBytes + SpanWriter.Room(value.StringProp));
        writer.Text(value.StringProp!);
        writer.Int32(value.IntProp);
        writer.Guid(value.GuidProp);
        writer.Int64(value.DateProp.Ticks);
    }

    public static Poco Read(ref SpanReader reader) => new()
    {
        StringProp = reader.Text(),
        IntProp = reader.Int32(),
        GuidProp = reader.Guid(),
        DateProp = new DateTime(reader.Int64(), DateTimeKind.Utc),
    };
}

/// <summary>Four bytes.</summary>
internal readonly struct OneIntFloor : IFloor<OneInt>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(OneInt value, IBufferWriter<byte> output)
    {
        BinaryPrimitives.WriteInt32LittleEndian(output.GetSpan(sizeof(int)), value.Number);
        output.Advance(sizeof(int));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static OneInt Read(ReadOnlySpan<byte> payload) => new() { Number = BinaryPrimitives.ReadInt32LittleEndian(payload) };
}

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

using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Text;
using Bench;

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

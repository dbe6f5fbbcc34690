using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Text;
using Bench;

namespace Wire.Benchmarks.Floors;

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

/// <summary>The length in two bytes, then UTF-8.</summary>
internal readonly struct OneStringFloor : IFloor<OneString>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(OneString value, IBufferWriter<byte> output)
    {
        string text = value.Text!;
        Span<byte> span = output.GetSpan(sizeof(ushort) + Encoding.UTF8.GetMaxByteCount(text.Length));
        int length = Encoding.UTF8.GetBytes(text, span[sizeof(ushort)..]);
        BinaryPrimitives.WriteUInt16LittleEndian(span, checked((ushort)length));
        output.Advance(sizeof(ushort) + length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static OneString Read(ReadOnlySpan<byte> payload) =>
        new() { Text = Encoding.UTF8.GetString(payload.Slice(sizeof(ushort), BinaryPrimitives.ReadUInt16LittleEndian(payload))) };
}

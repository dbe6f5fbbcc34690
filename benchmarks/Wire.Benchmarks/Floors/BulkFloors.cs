using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Wire.Benchmarks.Floors;

/// <summary>One block copy each way.</summary>
internal readonly struct IntsFloor : IFloor<int[]>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(int[] value, IBufferWriter<byte> output) => output.Write(MemoryMarshal.AsBytes(value.AsSpan()));

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int[] Read(ReadOnlySpan<byte> payload) => MemoryMarshal.Cast<byte, int>(payload).ToArray();
}

/// <summary>One block copy of UTF-16 each way.</summary>
internal readonly struct Utf16Floor : IFloor<string>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(string value, IBufferWriter<byte> output) => output.Write(MemoryMarshal.AsBytes(value.AsSpan()));

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string Read(ReadOnlySpan<byte> payload) => new(MemoryMarshal.Cast<byte, char>(payload));
}

/// <summary>Transcoded to UTF-8 and back, as most formats do.</summary>
internal readonly struct Utf8Floor : IFloor<string>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(string value, IBufferWriter<byte> output)
    {
        Span<byte> span = output.GetSpan(Encoding.UTF8.GetMaxByteCount(value.Length));
        output.Advance(Encoding.UTF8.GetBytes(value, span));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string Read(ReadOnlySpan<byte> payload) => Encoding.UTF8.GetString(payload);
}

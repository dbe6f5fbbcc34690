using System.Runtime.InteropServices;

namespace Wire.Benchmarks.Peers;

/// <summary>For libraries that have numbers only: values of 16 bytes as two of them. Not a part of what is timed.</summary>
internal static class Bits
{
    public static ulong Low(Guid value) => Halves(value)[0];

    public static ulong High(Guid value) => Halves(value)[1];

    public static Guid Guid(ulong low, ulong high) => MemoryMarshal.Read<Guid>(MemoryMarshal.AsBytes<ulong>([low, high]));

    public static ulong Low(decimal value) => Halves(value)[0];

    public static ulong High(decimal value) => Halves(value)[1];

    public static decimal Decimal(ulong low, ulong high) => new(MemoryMarshal.Cast<ulong, int>([low, high]));

    public static DateTime Utc(long ticks) => new(ticks, DateTimeKind.Utc);

    private static ulong[] Halves(Guid value) => MemoryMarshal.Cast<byte, ulong>(value.ToByteArray()).ToArray();

    private static ulong[] Halves(decimal value) => MemoryMarshal.Cast<int, ulong>(decimal.GetBits(value)).ToArray();
}

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Wire.Benchmarks.Floors;

/// <summary>
/// The fields of <see cref="PocoFloor"/> with everything left out that unsafe code can leave out: into an array, little-endian
/// machines only. What is left is little more than the allocation of the object and its string.
/// </summary>
internal static class PocoUnsafe
{
    private const int FixedBytes = 1 + sizeof(int) + 16 + sizeof(long);

    /// <summary>Writes a message and returns how many bytes it takes.</summary>
    /// <remarks>Not inlined, like the entry points it is compared with: else the loop around it would become a part of the code.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Write(Poco value, byte[] buffer)
    {
        string text = value.StringProp!;
        int length = text.Length;
        int total = FixedBytes + length;
        if (length > byte.MaxValue || buffer.Length < total)
        {
            throw new ArgumentException("The text is too long, or the buffer too short.");
        }

        ref byte start = ref MemoryMarshal.GetArrayDataReference(buffer);
        start = (byte)length;
        Narrow(ref MemoryMarshal.GetReference(text.AsSpan()), length, ref Unsafe.Add(ref start, 1));
        ref byte rest = ref Unsafe.Add(ref start, 1 + length);
        Unsafe.WriteUnaligned(ref rest, value.IntProp);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref rest, 4), value.GuidProp);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref rest, 20), value.DateProp.Ticks);
        return total;
    }

    /// <summary>Reads a message: a new object and a new string.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static Poco Read(ReadOnlySpan<byte> payload)
    {
        int length = payload.IsEmpty ? 0 : payload[0];
        if (payload.Length != FixedBytes + length)
        {
            throw new ArgumentException("The payload has another length than its text says.");
        }

        ref byte start = ref MemoryMarshal.GetReference(payload);
        string text = new('\0', length);
        Widen(ref Unsafe.Add(ref start, 1), length, ref MemoryMarshal.GetReference(text.AsSpan()));
        ref byte rest = ref Unsafe.Add(ref start, 1 + length);
        return new Poco
        {
            StringProp = text,
            IntProp = Unsafe.ReadUnaligned<int>(ref rest),
            GuidProp = Unsafe.ReadUnaligned<Guid>(ref Unsafe.Add(ref rest, 4)),
            DateProp = new DateTime(Unsafe.ReadUnaligned<long>(ref Unsafe.Add(ref rest, 20)), DateTimeKind.Utc),
        };
    }

    // Groups of four characters; the last group overlaps the one before it.
    private static void Narrow(ref char source, int length, ref byte destination)
    {
        ulong all = 0;
        if (length >= 4)
        {
            for (int i = 0; i < length - 4; i += 4)
            {
                all |= NarrowGroup(ref source, i, ref destination);
            }

            all |= NarrowGroup(ref source, length - 4, ref destination);
        }
        else
        {
            for (int i = 0; i < length; i++)
            {
                all |= Unsafe.Add(ref source, i);
                Unsafe.Add(ref destination, i) = (byte)Unsafe.Add(ref source, i);
            }
        }

        if ((all & 0xFF00FF00FF00FF00) != 0)
        {
            throw new ArgumentException("A character does not fit a byte.");
        }
    }

    private static void Widen(ref byte source, int length, ref char destination)
    {
        if (length >= 4)
        {
            for (int i = 0; i < length - 4; i += 4)
            {
                WidenGroup(ref source, i, ref destination);
            }

            WidenGroup(ref source, length - 4, ref destination);
        }
        else
        {
            for (int i = 0; i < length; i++)
            {
                Unsafe.Add(ref destination, i) = (char)Unsafe.Add(ref source, i);
            }
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong NarrowGroup(ref char source, int at, ref byte destination)
    {
        ulong group = Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<char, byte>(ref Unsafe.Add(ref source, at)));
        Vector128<ushort> characters = Vector128.CreateScalar(group).AsUInt16();
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, at), Vector128.Narrow(characters, characters).AsUInt32().ToScalar());
        return group;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WidenGroup(ref byte source, int at, ref char destination)
    {
        uint group = Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref source, at));
        ulong characters = Vector128.WidenLower(Vector128.CreateScalar(group).AsByte()).AsUInt64().ToScalar();
        Unsafe.WriteUnaligned(ref Unsafe.As<char, byte>(ref Unsafe.Add(ref destination, at)), characters);
    }
}

internal readonly struct PocoUnsafeCodec(byte[] buffer) : ICodec<Poco>
{
    public ReadOnlySpan<byte> Write(Poco value) => buffer.AsSpan(0, PocoUnsafe.Write(value, buffer));

    public Poco Read(ReadOnlySpan<byte> payload) => PocoUnsafe.Read(payload);
}

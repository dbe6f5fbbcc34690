using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Wire.Amqp.Primitives;

/// <summary>
/// Encodes texts of ASCII, which keys and most short texts are, without a general transcoder: that takes longer than the text.
/// </summary>
internal static class ShortText
{
    private const int Many = 8;
    private const int Few = 4;
    private const ushort NotAscii = 0xFF80;

    /// <summary>Encodes a text; false, and anything may have been written, when it is not all ASCII.</summary>
    /// <param name="text">The text.</param>
    /// <param name="destination">Room for as many bytes as the text has characters: this is not checked.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryEncode(string text, ref byte destination)
    {
        ref char source = ref MemoryMarshal.GetReference(text.AsSpan());
        int length = text.Length;

        // The last block overlaps the one before it, so that no tail remains.
        if (length >= Many)
        {
            Vector128<ushort> all = Encode(ref source, ref destination, length - Many);
            for (int i = 0; i < length - Many; i += Many)
            {
                all |= Encode(ref source, ref destination, i);
            }

            return (all & Vector128.Create(NotAscii)) == Vector128<ushort>.Zero;
        }

        if (length >= Few)
        {
            ulong all = EncodeFew(ref source, ref destination, 0) | EncodeFew(ref source, ref destination, length - Few);
            return (all & (NotAscii * 0x0001_0001_0001_0001UL)) == 0;
        }

        uint each = 0;
        for (int i = 0; i < length; i++)
        {
            char character = Unsafe.Add(ref source, i);
            each |= character;
            Unsafe.Add(ref destination, i) = (byte)character;
        }

        return (each & NotAscii) == 0;
    }

    /// <summary>
    /// Copies a text in UTF-8; false, and nothing has been written, when it is not of a length that few instructions can copy.
    /// </summary>
    /// <param name="text">The bytes.</param>
    /// <param name="destination">Room for as many bytes: this is not checked.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryCopy(ReadOnlySpan<byte> text, ref byte destination)
    {
        ref byte source = ref MemoryMarshal.GetReference(text);
        if (text.Length is >= Many and <= 2 * Many)
        {
            Copy<ulong>(ref source, ref destination, 0);
            Copy<ulong>(ref source, ref destination, text.Length - Many);
            return true;
        }

        if (text.Length is >= Few and < Many)
        {
            Copy<uint>(ref source, ref destination, 0);
            Copy<uint>(ref source, ref destination, text.Length - Few);
            return true;
        }

        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Copy<T>(ref byte source, ref byte destination, int at)
        where T : unmanaged =>
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, at), Unsafe.ReadUnaligned<T>(ref Unsafe.Add(ref source, at)));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ushort> Encode(ref char source, ref byte destination, int at)
    {
        Vector128<ushort> characters = Unsafe.ReadUnaligned<Vector128<ushort>>(ref Unsafe.As<char, byte>(ref Unsafe.Add(ref source, at)));
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, at), Vector128.Narrow(characters, characters).AsUInt64().ToScalar());
        return characters;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong EncodeFew(ref char source, ref byte destination, int at)
    {
        ulong characters = Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<char, byte>(ref Unsafe.Add(ref source, at)));
        Vector128<ushort> vector = Vector128.CreateScalarUnsafe(characters).AsUInt16();
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, at), Vector128.Narrow(vector, vector).AsUInt32().ToScalar());
        return characters;
    }
}

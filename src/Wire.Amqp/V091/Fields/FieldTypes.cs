using System.Runtime.CompilerServices;

namespace Wire.Amqp.V091.Fields;

/// <summary>
/// The layouts of the types of fields. There are only two shapes: a fixed number of bytes, or a length of 32 bits and that many bytes.
/// </summary>
internal static class FieldTypes
{
    /// <summary>The depth to which tables and arrays may nest where they are built or materialized at once.</summary>
    public const int MaxDepth = 64;

    /// <summary>The size that marks a type with a length prefix.</summary>
    public const byte Variable = sizeof(ulong) + 1;

    private const byte Unknown = byte.MaxValue;

    private const int FirstOctet = 0x40;

    // Looked up by the octet: a jump for every field of mixed types would be mispredicted.
    private static ReadOnlySpan<byte> Sizes =>
    [
        // . A B . D . F . . I . . L . . .
        Unknown, Variable, 1, Unknown, 5, Unknown, Variable, Unknown, Unknown, 4, Unknown, Unknown, 8, Unknown, Unknown, Unknown,
        // . . . S T U V . . . . . . . . .
        Unknown, Unknown, Unknown, Variable, 8, 2, 0, Unknown, Unknown, Unknown, Unknown, Unknown, Unknown, Unknown, Unknown, Unknown,
        // . . b . d . f . . i . . l . . .
        Unknown, Unknown, 1, Unknown, 8, Unknown, 4, Unknown, Unknown, 4, Unknown, Unknown, 8, Unknown, Unknown, Unknown,
        // . . . s t u . . x . . . . . . .
        Unknown, Unknown, Unknown, 2, 1, 2, Unknown, Unknown, Variable, Unknown, Unknown, Unknown, Unknown, Unknown, Unknown, Unknown,
    ];

    /// <summary>
    /// Returns the number of bytes that follow the octet: up to 8, <see cref="Variable"/>, or more for an undefined type.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte SizeOf(FieldType type)
    {
        ReadOnlySpan<byte> sizes = Sizes;
        int index = (int)type - FirstOctet;
        return (uint)index < (uint)sizes.Length ? sizes[index] : Unknown;
    }

    /// <summary>Returns the name of a type in messages.</summary>
    public static string Name(FieldType type) => SizeOf(type) > Variable ? $"octet 0x{(byte)type:X2}" : $"{type} ('{(char)type}')";
}

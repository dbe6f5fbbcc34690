using System.Runtime.CompilerServices;

namespace Wire.Amqp.V091;

/// <summary>What the types of fields look like in bytes. There are two shapes only: so many bytes, or a length of 32 bits and so many bytes.</summary>
internal static class FieldTypes
{
    /// <summary>How deep tables and arrays lie in each other where all of them are built or materialized at once.</summary>
    public const int MaxDepth = 64;

    /// <summary>The size of a type that has a length before it.</summary>
    public const byte Variable = sizeof(ulong) + 1;

    private const byte Unknown = byte.MaxValue;

    // Looked up by the octet: a jump for every field of mixed types would be mispredicted.
    private static readonly byte[] Sizes = [.. Enumerable.Range(0, byte.MaxValue + 1).Select(octet => Describe((FieldType)octet))];

    /// <summary>How many bytes follow the octet: up to 8, <see cref="Variable"/>, or more for what is no type.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte SizeOf(FieldType type) => Sizes[(byte)type];

    /// <summary>A type as messages name it.</summary>
    public static string Name(FieldType type) => SizeOf(type) > Variable ? $"octet 0x{(byte)type:X2}" : $"{type} ('{(char)type}')";

    private static byte Describe(FieldType type) => type switch
    {
        FieldType.Void => 0,
        FieldType.Boolean or FieldType.SByte or FieldType.Byte => sizeof(byte),
        FieldType.Int16 or FieldType.Int16AsSpecified or FieldType.UInt16 => sizeof(short),
        FieldType.Int32 or FieldType.UInt32 or FieldType.Single => sizeof(int),
        FieldType.Decimal => sizeof(byte) + sizeof(int),
        FieldType.Int64 or FieldType.Int64AsSpecified or FieldType.Double or FieldType.Timestamp => sizeof(long),
        FieldType.String or FieldType.Bytes or FieldType.Table or FieldType.Array => Variable,
        _ => Unknown,
    };
}

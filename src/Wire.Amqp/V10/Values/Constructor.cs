namespace Wire.Amqp.V10.Values;

/// <summary>
/// The byte that stands before a value and says its type and encoding (part 1 section 1.2). The upper four bits are the category, which
/// suffices to skip the value: 4 to 9 for values of 0, 1, 2, 4, 8 and 16 bytes; A, C and E (variable, compound, array) for a size of one
/// byte before the value; B, D and F for a size of four.
/// </summary>
internal static class Constructor
{
    public const byte Described = 0x00, Null = 0x40, True = 0x41, False = 0x42, UInt0 = 0x43, ULong0 = 0x44, List0 = 0x45;
    public const byte UByte = 0x50, Byte = 0x51, SmallUInt = 0x52, SmallULong = 0x53, SmallInt = 0x54, SmallLong = 0x55, Boolean = 0x56;
    public const byte UShort = 0x60, Short = 0x61;
    public const byte UInt = 0x70, Int = 0x71, Float = 0x72, Char = 0x73, Decimal32 = 0x74;
    public const byte ULong = 0x80, Long = 0x81, Double = 0x82, Timestamp = 0x83, Decimal64 = 0x84;
    public const byte Decimal128 = 0x94, Uuid = 0x98;
    public const byte Binary8 = 0xa0, String8 = 0xa1, Symbol8 = 0xa3, Binary32 = 0xb0, String32 = 0xb1, Symbol32 = 0xb3;
    public const byte List8 = 0xc0, Map8 = 0xc1, List32 = 0xd0, Map32 = 0xd1, Array8 = 0xe0, Array32 = 0xf0;

    /// <summary>The answer of <see cref="TypeOf"/> for a byte that is no constructor of any type.</summary>
    public const AmqpType Unknown = (AmqpType)byte.MaxValue;

    /// <summary>The difference between the constructors of a type's values with a size of one byte and of four.</summary>
    public const byte Wide = 0x10;

    // The types, each with its constructors: the widest one last.
    private static readonly (AmqpType Type, byte[] Codes)[] Table =
    [
        (AmqpType.Described, [Described]),
        (AmqpType.Null, [Null]),
        (AmqpType.Boolean, [True, False, Boolean]),
        (AmqpType.UByte, [UByte]),
        (AmqpType.UShort, [UShort]),
        (AmqpType.UInt, [UInt0, SmallUInt, UInt]),
        (AmqpType.ULong, [ULong0, SmallULong, ULong]),
        (AmqpType.Byte, [Byte]),
        (AmqpType.Short, [Short]),
        (AmqpType.Int, [SmallInt, Int]),
        (AmqpType.Long, [SmallLong, Long]),
        (AmqpType.Float, [Float]),
        (AmqpType.Double, [Double]),
        (AmqpType.Decimal32, [Decimal32]),
        (AmqpType.Decimal64, [Decimal64]),
        (AmqpType.Decimal128, [Decimal128]),
        (AmqpType.Char, [Char]),
        (AmqpType.Timestamp, [Timestamp]),
        (AmqpType.Uuid, [Uuid]),
        (AmqpType.Binary, [Binary8, Binary32]),
        (AmqpType.String, [String8, String32]),
        (AmqpType.Symbol, [Symbol8, Symbol32]),
        (AmqpType.List, [List0, List8, List32]),
        (AmqpType.Map, [Map8, Map32]),
        (AmqpType.Array, [Array8, Array32]),
    ];

    private static readonly AmqpType[] Types = MakeTypes();
    private static readonly byte[] Widest = MakeWidest();

    public static AmqpType TypeOf(byte code) => Types[code];

    /// <summary>The constructor of a type that has room for all of its values.</summary>
    public static byte WidestOf(AmqpType type) => Widest[(int)type];

    /// <summary>Returns whether a size stands before the value.</summary>
    public static bool HasSize(byte code) => code >= 0xa0;

    /// <summary>Returns the number of bytes of the size that precedes the value.</summary>
    public static int SizeWidth(byte code) => (code & Wide) == 0 ? sizeof(byte) : sizeof(uint);

    /// <summary>Returns the number of bytes that a value without size takes; -1 when the category is unknown.</summary>
    public static int FixedWidth(byte code) => (code >> 4) switch
    {
        4 => 0,
        >= 5 and <= 9 and int category => 1 << (category - 5),
        _ => -1,
    };

    /// <summary>The constructor in words, for errors.</summary>
    public static string Name(byte code)
    {
        AmqpType type = TypeOf(code);
        return type == Unknown ? $"the unknown constructor 0x{code:x2}" : $"{Name(type)} (constructor 0x{code:x2})";
    }

    /// <summary>The type as the specification names it.</summary>
    public static string Name(AmqpType type) => type == AmqpType.Described ? "a described value" : type.ToString().ToLowerInvariant();

    private static AmqpType[] MakeTypes()
    {
        var types = new AmqpType[256];
        Array.Fill(types, Unknown);
        foreach ((AmqpType type, byte[] codes) in Table)
        {
            foreach (byte code in codes)
            {
                types[code] = type;
            }
        }

        return types;
    }

    private static byte[] MakeWidest()
    {
        byte[] widest = new byte[Table.Length];
        foreach ((AmqpType type, byte[] codes) in Table)
        {
            widest[(int)type] = codes[^1];
        }

        return widest;
    }
}

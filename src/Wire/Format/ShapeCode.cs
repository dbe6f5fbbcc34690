namespace Wire.Format;

/// <summary>
/// The codes that, together with the tags of built-in types, describe the layout of a value, so that a reader can convert or skip it
/// without its type (docs/format.md, clause 6).
/// </summary>
internal static class ShapeCode
{
    /// <summary>A byte that is 0 or 1, and when it is 1 the element's shape.</summary>
    public const byte Nullable = 0x40;

    /// <summary>A count and that many elements.</summary>
    public const byte Sequence = 0x41;

    /// <summary>A comparer, a count and that many pairs of key and value.</summary>
    public const byte Map = 0x42;

    /// <summary>A rank, a length and a lower bound per dimension, and the elements in row-major order.</summary>
    public const byte Array = 0x43;

    /// <summary>The members of a value type or of a class, one after the other.</summary>
    public const byte Members = 0x44;

    /// <summary>The members of an enclosing shape, a given number of levels up.</summary>
    public const byte Recursion = 0x45;

    /// <summary>A tag, and what the tag says.</summary>
    public const byte Tagged = 0x46;

    /// <summary>A count of bytes and those bytes.</summary>
    public const byte Framed = 0x47;

    /// <summary>A fixed count of bytes, given in the shape.</summary>
    public const byte Fixed = 0x48;

    /// <summary>A comparer, a count and that many elements.</summary>
    public const byte Set = 0x49;

    /// <summary>The number of a case, and the fields of that case.</summary>
    public const byte Union = 0x4A;

    /// <summary>An integer whose values have names.</summary>
    public const byte Enum = 0x4B;

    /// <summary>Nothing: for a tagged position without a declared layout.</summary>
    public const byte None = 0x00;
}

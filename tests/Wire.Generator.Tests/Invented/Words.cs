namespace Wire.Generator.Tests.Invented;

/// <summary>Names, of which many are in the way of code that is printed without care.</summary>
internal static class Words
{
    public static readonly string[] Spaces = ["", "Shop", "Shop.@switch.Deep", "Wire.Own", "Wire.Compilation", "System.Own", "Пример.Ж"];

    /// <summary>Names of types: each is used once in a batch, and then with its number.</summary>
    public static readonly string[] Types =
    [
        "@class", "@event", "@record", "@var", "@field", "@nint", "@required", "@file", "@scoped", "Unsafe", "MemberCode0",
        "Fields0", "MemberCode", "WireWriter", "FlatPart", "Text", "Fixed", "Value", "Part", "Object", "String", "Größe", "Ж", "_",
        "__Fields",
    ];

    /// <summary>Names of type parameters.</summary>
    public static readonly string[] Parameters =
        ["T", "TKey", "F0", "F1", "owner", "@class", "Fields0", "MemberCode0", "Wire", "System", "Ü", "@var", "Item", "reader"];

    /// <summary>Names of members: each is used once in a type, and then with a number.</summary>
    public static readonly string[] Members =
    [
        "Id", "_id", "@class", "@event", "@namespace", "value", "owner", "at", "reader", "writer", "Fits", "Flat", "Write", "Read",
        "Ensure", "Load", "F0", "_m0", "_s0", "v0", "Größe", "ж", "A", "a", "AB", "_", "__", "Item1", "Text", "Value", "@async", "@var",
        "Create", "start", "room", "made", "variable", "Behind", "Begin", "System", "Wire", "global",
    ];

    public static readonly string[] Scalars =
    [
        "bool", "byte", "sbyte", "short", "ushort", "int", "uint", "long", "ulong", "char", "float", "double", "decimal",
        .. new[]
        {
            "IntPtr", "UIntPtr", "Half", "Int128", "UInt128", "Guid", "DateTime", "DateTimeOffset", "TimeSpan", "DateOnly", "TimeOnly",
            "Text.Rune", "Numerics.Complex",
        }.Select(name => $"global::System.{name}"),
    ];

    /// <summary>Types of .NET of which a member has mostly no room that is known.</summary>
    public static readonly string[] Others = ["global::System.Uri", "global::System.Version", "global::System.Numerics.BigInteger"];

    public static readonly string[] Numbers = ["byte", "sbyte", "short", "ushort", "int", "uint", "long", "ulong"];

    /// <summary>Types whose values are keys: they are compared by what they are.</summary>
    public static readonly string[] Keys = ["string", "int", "long", "byte", "char", "global::System.Guid", "global::System.DateOnly"];

    public static readonly string[] Lists =
    [
        "List", "HashSet", "Queue", "Stack", "LinkedList", "IReadOnlyList", "IEnumerable", "ICollection", "IList", "ISet",
    ];

    public static readonly string[] Immutables =
        ["ImmutableArray", "ImmutableList", "ImmutableHashSet", "ImmutableQueue", "ImmutableStack", "ImmutableSortedSet"];

    public static readonly string[] Maps =
    [
        "Generic.Dictionary", "Generic.SortedDictionary", "Generic.IDictionary", "Generic.IReadOnlyDictionary", "Generic.SortedList",
        "Concurrent.ConcurrentDictionary", "Immutable.ImmutableDictionary", "Immutable.ImmutableSortedDictionary",
    ];
}

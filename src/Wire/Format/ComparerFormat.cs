namespace Wire.Format;

/// <summary>The comparer of a hash-keyed collection, in one byte: the default one, or one of the string comparers of the core library.</summary>
internal static class ComparerFormat
{
    private static readonly IEqualityComparer<string>?[] Known =
    [
        null,
        StringComparer.Ordinal,
        StringComparer.OrdinalIgnoreCase,
        StringComparer.InvariantCulture,
        StringComparer.InvariantCultureIgnoreCase,
    ];

    public static void Write<T>(ref WireWriter writer, IEqualityComparer<T> comparer, Type collection)
    {
        int index = comparer == EqualityComparer<T>.Default ? 0 : Array.FindIndex(Known, 1, known => known!.Equals(comparer));
        if (index < 0)
        {
            throw new UnsupportedTypeException(collection, $"it has a comparer of type {comparer.GetType()}, which would be lost. Use a surrogate or a value serializer for it.");
        }

        writer.WriteByte((byte)index);
    }

    /// <summary>Reads a comparer; null is the default one.</summary>
    public static IEqualityComparer<T>? Read<T>(ref WireReader reader)
    {
        byte index = reader.ReadByte();
        if (index >= Known.Length || (index > 0 && typeof(T) != typeof(string)))
        {
            Throw.InvalidValue("comparer", $"{index} is no comparer of {typeof(T)}");
        }

        return (IEqualityComparer<T>?)Known[index];
    }
}

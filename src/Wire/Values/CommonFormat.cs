using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Format;

namespace Wire.Values;

/// <summary>
/// The most frequent built-in types in variables of type object, after their tags: one comparison each, instead of a lookup and virtual
/// calls. The bytes are those that their value serializers write.
/// </summary>
internal static class CommonFormat
{
    /// <summary>Writes a value with its tag; false, and nothing is written, when it is of another type.</summary>
    public static bool TryWrite(ref WireWriter writer, object value)
    {
        // Evaluated in place, typeof is a constant word to compare with, not an object.
        if (value.GetType() == typeof(string))
        {
            writer.WriteByte(Tag.String);
            writer.WriteString(Unsafe.As<string>(value));
            return true;
        }

        return value.GetType() == typeof(int) ? Write<int, RawFormat<int>>(ref writer, Tag.Int32, value)
            : value.GetType() == typeof(long) ? Write<long, RawFormat<long>>(ref writer, Tag.Int64, value)
            : value.GetType() == typeof(bool) ? Write<bool, BooleanFormat>(ref writer, Tag.Boolean, value)
            : value.GetType() == typeof(double) ? Write<double, RawFormat<double>>(ref writer, Tag.Double, value)
            : value.GetType() == typeof(Guid) ? Write<Guid, GuidFormat>(ref writer, Tag.Guid, value)
            : value.GetType() == typeof(DateTime) && Write<DateTime, DateTimeFormat>(ref writer, Tag.DateTime, value);
    }

    /// <summary>Returns whether a value is of one of these types, none of which can change.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsImmutable(object value) =>
        value.GetType() == typeof(string)
        || value.GetType() == typeof(int)
        || value.GetType() == typeof(long)
        || value.GetType() == typeof(bool)
        || value.GetType() == typeof(double)
        || value.GetType() == typeof(Guid)
        || value.GetType() == typeof(DateTime);

    /// <summary>Reads the value after a tag; null, and nothing is read, when the tag is that of another type.</summary>
    public static object? TryRead(ref WireReader reader, byte tag) => tag switch
    {
        Tag.String =>
            StringFormat.Read(ref reader) ?? ThrowHelper.Format<object>(WireFormatError.InvalidValue, "A string with a tag is null."),
        Tag.Int32 => Read<int, RawFormat<int>>(ref reader),
        Tag.Int64 => Read<long, RawFormat<long>>(ref reader),
        Tag.Boolean => Read<bool, BooleanFormat>(ref reader),
        Tag.Double => Read<double, RawFormat<double>>(ref reader),
        Tag.Guid => Read<Guid, GuidFormat>(ref reader),
        Tag.DateTime => Read<DateTime, DateTimeFormat>(ref reader),
        _ => null,
    };

    /// <summary>Writes elements of a collection with their tags, or null, up to the first one of another type.</summary>
    /// <param name="writer">The writer, at the level of the collection.</param>
    /// <param name="values">The elements.</param>
    /// <param name="index">The index of the first of them.</param>
    /// <returns>The number of elements written.</returns>
    public static int WriteSome(ref WireWriter writer, scoped ReadOnlySpan<object?> values, int index)
    {
        int i = 0;
        for (; i < values.Length; i++)
        {
            writer.Member = ~(index + i);
            if (values[i] is not { } value)
            {
                writer.WriteByte(Tag.Null);
            }
            else if (!TryWrite(ref writer, value))
            {
                break;
            }
        }

        return i;
    }

    /// <summary>
    /// Reads elements of a collection, up to the first one with the tag of another type, or the end of what is in memory.
    /// </summary>
    /// <param name="reader">The reader, at the level of the collection.</param>
    /// <param name="values">The elements.</param>
    /// <param name="index">The index of the first of them.</param>
    /// <returns>The number of elements read.</returns>
    public static int ReadSome(ref WireReader reader, scoped Span<object?> values, int index)
    {
        int i = 0;
        for (; i < values.Length && reader.Unread > 0; i++)
        {
            reader.Member = ~(index + i);
            byte tag = reader.Position;
            reader.Advance(1);
            object? value = null;
            if (tag != Tag.Null && (value = TryRead(ref reader, tag)) is null)
            {
                reader.Advance(-1);
                break;
            }

            values[i] = value;
        }

        return i;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool Write<T, TFormat>(ref WireWriter writer, byte tag, object value)
        where T : unmanaged
        where TFormat : IFixedFormat<T>
    {
        ref byte destination = ref writer.Reserve(1 + TFormat.Size);
        destination = tag;
        TFormat.Store(ref Unsafe.Add(ref destination, 1), (T)value);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static object Read<T, TFormat>(ref WireReader reader)
        where T : unmanaged
        where TFormat : IFixedFormat<T> => TFormat.Load(ref reader.ReadRef(TFormat.Size));
}

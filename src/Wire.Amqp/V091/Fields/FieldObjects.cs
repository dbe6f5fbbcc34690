using System.Collections;

namespace Wire.Amqp.V091.Fields;

/// <summary>Makes fields of objects, for dictionaries and lists of them.</summary>
internal static class FieldObjects
{
    /// <summary>Adds the entries of a dictionary to the table that is open.</summary>
    public static void AddAll(
        FieldBuilder fields, IEnumerable<KeyValuePair<string, object?>> entries, Func<object, FieldValue?>? convert = null)
    {
        // The usual type, which is enumerated without allocation and interface calls.
        if (entries is Dictionary<string, object?> dictionary)
        {
            foreach ((string key, object? value) in dictionary)
            {
                Add(fields, key, value, key, convert);
            }

            return;
        }

        foreach ((string key, object? value) in entries)
        {
            Add(fields, NotNull(key), value, key, convert);
        }
    }

    /// <summary>Adds the elements of a collection to the array that is open.</summary>
    public static void AddAll(FieldBuilder fields, IEnumerable elements, string name, Func<object, FieldValue?>? convert = null)
    {
        foreach (object? element in elements)
        {
            Add(fields, default, element, name, convert);
        }
    }

    /// <summary>Adds a field, or an element if there is no key.</summary>
    /// <param name="fields">The builder to add to.</param>
    /// <param name="key">The key, if it is a field of a table.</param>
    /// <param name="value">Any object.</param>
    /// <param name="name">The key to name in errors: its own, or of the array that it is in.</param>
    /// <param name="convert">The values of types that no field has; null where there are none.</param>
    public static void Add(
        FieldBuilder fields, AmqpString key, object? value, string name, Func<object, FieldValue?>? convert = null)
    {
        if (value is not decimal && TryConvert(value, out FieldValue converted))
        {
            fields.AddField(key, converted);
            return;
        }

        switch (value)
        {
            case decimal number:
                fields.AddField(key, Convert(number, name));
                return;
            case IEnumerable<KeyValuePair<string, object?>> entries:
                fields.BeginContainer(key, FieldType.Table);
                AddAll(fields, entries, convert);
                break;
            case IDictionary entries:
                fields.BeginContainer(key, FieldType.Table);
                foreach (DictionaryEntry entry in entries)
                {
                    string inner = entry.Key as string
                        ?? throw new ArgumentException($"The keys of the dictionary{At(
                            name)} are of type {entry.Key.GetType()}: the keys of a table must be strings.");
                    Add(fields, inner, entry.Value, inner, convert);
                }

                break;
            case IEnumerable elements:
                fields.BeginContainer(key, FieldType.Array);
                AddAll(fields, elements, name, convert);
                break;
            case { } other when convert?.Invoke(other) is { } own:
                fields.AddField(key, own);
                return;
            default:
                throw new ArgumentException(
                    $"The value{At(name)} is of type {value!.GetType()}, which AMQP 0-9-1 does not have: convert it to a type that it " +
                    "has, such as long or string.");
        }

        fields.End();
    }

    /// <summary>The value of an object that is not a collection; false for a collection or an unsupported type.</summary>
    public static bool TryConvert(object? value, out FieldValue converted)
    {
        (bool known, converted) = value switch
        {
            null => (true, default),
            string text => (true, text),
            bool boolean => (true, boolean),
            int number => (true, number),
            long number => (true, number),
            double number => (true, number),
            byte[] bytes => (true, bytes),
            sbyte number => (true, number),
            byte number => (true, number),
            short number => (true, number),
            ushort number => (true, number),
            uint number => (true, number),
            float number => (true, number),
            decimal number => (true, number),
            AmqpString text => (true, text),
            ReadOnlyMemory<byte> bytes => (true, bytes),
            Timestamp time => (true, time),
            FieldTable table => (true, table),
            FieldArray array => (true, array),
            FieldValue field => (true, field),
            _ => (false, default(FieldValue)),
        };
        return known;
    }

    // The only conversion that may fail.
    private static FieldValue Convert(decimal number, string name)
    {
        try
        {
            return number;
        }
        catch (ArgumentException e)
        {
            throw new ArgumentException($"The value{At(name)} cannot be written: {e.Message}", e);
        }
    }

    private static string At(string name) => name.Length == 0 ? "" : $" at '{name}'";

    private static string NotNull(string key) => key ?? throw new ArgumentException("The key of a field is null.");
}

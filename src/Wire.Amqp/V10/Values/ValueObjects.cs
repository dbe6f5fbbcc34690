using System.Collections;
using System.Text;

namespace Wire.Amqp.V10.Values;

/// <summary>Makes values of objects, the other way round from <see cref="Materializer"/>.</summary>
internal static class ValueObjects
{
    /// <summary>The value of an object; a collection gets a new array.</summary>
    public static AmqpValue ToValue(object? value) => ToValue(value, 0);

    /// <summary>Adds the value of an object to the open container.</summary>
    /// <param name="builder">The builder to add to.</param>
    /// <param name="value">Any object.</param>
    /// <param name="place">The key or index to name in errors.</param>
    /// <param name="descriptors">In how many descriptors it is: each is built apart, so that no builder counts them.</param>
    private static void Add(AmqpBuilder builder, object? value, string place, int descriptors)
    {
        if (TryConvert(value, out AmqpValue converted))
        {
            builder.Add(converted);
            return;
        }

        switch (value)
        {
            case DescribedObject described:
                if (descriptors == AmqpValue.MaxDepth)
                {
                    throw new InvalidOperationException(
                        $"A value has at most {AmqpValue.MaxDepth} nested descriptors: does one contain itself?");
                }

                builder.Describe(ToValue(described.Descriptor, descriptors + 1));
                Add(builder, described.Value, place, descriptors);
                break;
            case IEnumerable<KeyValuePair<string, object?>> entries:
                AddMap(builder, entries.Select(entry => new KeyValuePair<object?, object?>(entry.Key, entry.Value)), descriptors);
                break;
            case IEnumerable<KeyValuePair<object?, object?>> entries:
                AddMap(builder, entries, descriptors);
                break;
            case IDictionary entries:
                AddMap(builder, Entries(entries), descriptors);
                break;
            case IEnumerable elements:
                builder.BeginList();
                foreach (object? element in elements)
                {
                    Add(builder, element, place, descriptors);
                }

                builder.End();
                break;
            default:
                throw new ArgumentException(
                    $"The value{(place.Length == 0 ? "" : $" at '{place}'")} is of type {value!.GetType()}, which AMQP 1.0 does not " +
                    "have: convert it to a type that it has, such as long or string.");
        }
    }

    private static AmqpValue ToValue(object? value, int descriptors)
    {
        if (TryConvert(value, out AmqpValue converted))
        {
            return converted;
        }

        var builder = new AmqpBuilder();
        Add(builder, value, "", descriptors);
        return builder.Build();
    }

    private static void AddMap(AmqpBuilder builder, IEnumerable<KeyValuePair<object?, object?>> entries, int descriptors)
    {
        builder.BeginMap();
        foreach ((object? key, object? value) in entries)
        {
            Add(builder, key, "", descriptors);
            Add(builder, value, $"{key}", descriptors);
        }

        builder.End();
    }

    // By the enumerator of IDictionary: that of IEnumerable has pairs of the dictionary's own types.
    private static IEnumerable<KeyValuePair<object?, object?>> Entries(IDictionary entries)
    {
        foreach (DictionaryEntry entry in entries)
        {
            yield return new KeyValuePair<object?, object?>(entry.Key, entry.Value);
        }
    }

    private static bool TryConvert(object? value, out AmqpValue converted)
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
            ulong number => (true, number),
            float number => (true, number),
            decimal number => (true, number),
            Decimal32 number => (true, number),
            Decimal64 number => (true, number),
            Decimal128 number => (true, number),
            char character => (true, character),
            Rune rune => (true, rune),
            Guid guid => (true, guid),
            Timestamp time => (true, time),
            DateTimeOffset time => (true, time),
            AmqpString text => (true, text),
            AmqpSymbol symbol => (true, symbol),
            ReadOnlyMemory<byte> bytes => (true, bytes),
            AmqpList list => (true, list),
            AmqpMap map => (true, map),
            AmqpArray array => (true, array),
            AmqpValue amqp => (true, amqp),
            _ => (false, default(AmqpValue)),
        };
        return known;
    }
}

using RabbitMQ.Client;
using Wire.Amqp;
using Wire.Amqp.V091;

namespace Wire.RabbitMQ.Connections.Lane;

/// <summary>Makes the objects of headers that RabbitMQ.Client makes of them: a text is an array of its bytes, and what is empty is null.</summary>
internal static class HeaderObjects
{
    /// <summary>The bit that RabbitMQ.Client writes the sign of a decimal in.</summary>
    public const uint SignOfDecimal = 0x8000_0000;

    private const int MaxDepth = 64;
    private const int MaxScale = 28;

    /// <summary>The headers; null where there are none.</summary>
    /// <exception cref="AmqpFormatException">The bytes are damaged, or nested deeper than 64.</exception>
    public static Dictionary<string, object?>? Of(in FieldTable table, int depth = 0)
    {
        if (table.IsEmpty)
        {
            return null;
        }

        CheckDepth(++depth);
        var headers = new Dictionary<string, object?>();
        foreach ((AmqpString name, FieldValue value) in table)
        {
            headers[name.ToString()] = Of(value, depth);
        }

        return headers;
    }

    private static object? Of(in FieldValue value, int depth) => value.Type switch
    {
        FieldType.String => value.AsString().Utf8.ToArray(),
        FieldType.Bytes => new BinaryTableValue(value.AsBytes().ToArray()),
        FieldType.Table => Of(value.AsTable(), depth),
        FieldType.Array => Of(value.AsArray(), depth),
        FieldType.Timestamp => new AmqpTimestamp(value.AsTimestamp().Seconds),
        FieldType.Decimal => Decimal(value.Bits),
        _ => value.ToObject(),
    };

    private static List<object?>? Of(in FieldArray array, int depth)
    {
        if (array.IsEmpty)
        {
            return null;
        }

        CheckDepth(++depth);
        var elements = new List<object?>();
        foreach (FieldValue element in array)
        {
            elements.Add(Of(element, depth));
        }

        return elements;
    }

    private static decimal Decimal(ulong bits)
    {
        (uint mantissa, ulong scale) = ((uint)bits, bits >> 32);
        return scale <= MaxScale
            ? new decimal((int)(mantissa & ~SignOfDecimal), 0, 0, (mantissa & SignOfDecimal) != 0, (byte)scale)
            : throw new AmqpFormatException(AmqpFormatError.Value, -1, $"A decimal of the headers has {scale} places, and one of .NET at most {MaxScale}");
    }

    private static void CheckDepth(int depth)
    {
        if (depth > MaxDepth)
        {
            throw new AmqpFormatException(AmqpFormatError.Value, -1, $"The headers are nested deeper than {MaxDepth}");
        }
    }
}

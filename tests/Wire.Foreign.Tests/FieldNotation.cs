using System.Globalization;
using System.Text.Json.Nodes;
using Wire.Amqp;
using Wire.Amqp.V091;

namespace Wire.Foreign.Tests;

/// <summary>A field as JSON that keeps its type: <c>["l", "-5"]</c>, with the octet and the content.</summary>
internal static class FieldNotation
{
    public static JsonArray Of(FieldValue value) => [((char)value.Type).ToString(), ContentOf(value)];

    /// <summary>The fields of a table, with their names, in their order.</summary>
    public static JsonArray Of(FieldTable table)
    {
        var fields = new JsonArray();
        foreach ((AmqpString name, FieldValue value) in table)
        {
            fields.Add((JsonNode)new JsonArray(name.ToString(), Of(value)));
        }

        return fields;
    }

    /// <summary>A number of 64 bits, as its bytes.</summary>
    public static string Bits(double value) => BitConverter.DoubleToUInt64Bits(value).ToString("x16", CultureInfo.InvariantCulture);

    /// <summary>The places and the digits of a decimal number.</summary>
    public static (int Places, int Digits) DecimalOf(decimal value)
    {
        int digits = decimal.GetBits(value)[0];
        return (value.Scale, decimal.IsNegative(value) ? -digits : digits);
    }

    private static JsonNode? ContentOf(FieldValue value)
    {
        switch (value.Type)
        {
            case FieldType.Boolean:
                return value.AsBoolean();
            case FieldType.String:
                return value.AsString().ToString();
            case FieldType.Bytes:
                return Convert.ToBase64String(value.AsBytes().Span);
            case FieldType.Single or FieldType.Double:
                return Bits(value.AsDouble());
            case FieldType.Decimal:
                (int places, int digits) = DecimalOf(value.AsDecimal());
                return new JsonArray(places, digits);
            case FieldType.Timestamp:
                return value.AsTimestamp().Seconds.ToString(CultureInfo.InvariantCulture);
            case FieldType.Array:
                var elements = new JsonArray();
                foreach (FieldValue element in value.AsArray())
                {
                    elements.Add((JsonNode)Of(element));
                }

                return elements;
            case FieldType.Table:
                return Of(value.AsTable());
            case FieldType.Void:
                return null;
            default:
                return value.AsInt64().ToString(CultureInfo.InvariantCulture);
        }
    }
}

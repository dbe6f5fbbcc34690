using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using Wire.Amqp.V10;

namespace Wire.Foreign.Tests;

/// <summary>
/// A value of AMQP 1.0 as JSON that keeps its type: <c>["uint", "5"]</c>, with the name of the type in the standard, and the content.
/// </summary>
/// <remarks>
/// Integers, characters and timestamps are their numbers, as text; floating point and decimal numbers, uuids and binary their bytes, in
/// hexadecimal. A list has its elements, a map pairs, a described value its descriptor and its value, and an array the type of its
/// elements, their descriptor or null, and the elements without it.
/// </remarks>
internal static class ValueNotation
{
    public static JsonArray Of(AmqpValue value) => [NameOf(value.Type), ContentOf(value)];

    /// <summary>Values one after the other.</summary>
    public static JsonArray Of(IEnumerable<AmqpValue> values) => new([.. values.Select(value => Of(value))]);

    private static string NameOf(AmqpType type) => type.ToString().ToLowerInvariant();

    private static JsonNode? ContentOf(AmqpValue value)
    {
        switch (value.Type)
        {
            case AmqpType.Null:
                return null;
            case AmqpType.Boolean:
                return value.As<bool>();
            case AmqpType.Float:
                return BitConverter.SingleToUInt32Bits(value.As<float>()).ToString("x8", CultureInfo.InvariantCulture);
            case AmqpType.Double:
                return FieldNotation.Bits(value.As<double>());
            case AmqpType.Decimal32:
                return value.As<Decimal32>().Bits.ToString("x8", CultureInfo.InvariantCulture);
            case AmqpType.Decimal64:
                return value.As<Decimal64>().Bits.ToString("x16", CultureInfo.InvariantCulture);
            case AmqpType.Decimal128:
                return value.As<Decimal128>().Bits.ToString("x32", CultureInfo.InvariantCulture);
            case AmqpType.Uuid:
                return value.As<Guid>().ToString("n", CultureInfo.InvariantCulture);
            case AmqpType.Char:
                return value.As<Rune>().Value.ToString(CultureInfo.InvariantCulture);
            case AmqpType.Timestamp:
                return value.As<Timestamp>().Milliseconds.ToString(CultureInfo.InvariantCulture);
            case AmqpType.Binary:
                return Convert.ToHexStringLower(value.As<ReadOnlyMemory<byte>>().Span);
            case AmqpType.String:
                return value.As<string>();
            case AmqpType.Symbol:
                return value.As<AmqpSymbol>().ToString();
            case AmqpType.List:
                return Of((List<AmqpValue>)[.. value.As<AmqpList>()]);
            case AmqpType.Map:
                List<KeyValuePair<AmqpValue, AmqpValue>> entries = [.. value.As<AmqpMap>()];
                return new JsonArray([.. entries.Select(entry => Of([entry.Key, entry.Value]))]);
            case AmqpType.Array:
                return ArrayOf(value.As<AmqpArray>());
            case AmqpType.Described:
                return Of([value.Descriptor, value.Undescribed]);
            default:
                return ((IFormattable)value.ToObject()!).ToString(null, CultureInfo.InvariantCulture);
        }
    }

    private static JsonArray ArrayOf(AmqpArray array)
    {
        AmqpValue[] elements = [.. array];
        if (array.ElementType != AmqpType.Described)
        {
            return [NameOf(array.ElementType), null, Of(elements)];
        }

        AmqpValue[] bare = [.. elements.Select(element => element.Undescribed)];
        return [NameOf(bare[0].Type), Of(elements[0].Descriptor), Of(bare)];
    }
}

using Wire.Amqp;
using Wire.Amqp.V091;

namespace Wire.RabbitMQ.Connections;

/// <summary>Values of headers, whoever wrote them: one of another type counts as none.</summary>
internal static class HeaderValues
{
    /// <summary>The integer of that name; null where there is none.</summary>
    public static long? Integer(this FieldTable headers, AmqpString name) => headers.TryGetValue(name, out FieldValue value)
        && value.Type is FieldType.SByte or FieldType.Byte or FieldType.Int16 or FieldType.Int16AsSpecified or FieldType.UInt16
            or FieldType.Int32 or FieldType.UInt32 or FieldType.Int64 or FieldType.Int64AsSpecified
            ? value.AsInt64()
            : null;

    /// <summary>The text of that name; null where there is none.</summary>
    public static string? String(this FieldTable headers, AmqpString name) =>
        headers.TryGetValue(name, out FieldValue value) && value.Type == FieldType.String ? value.AsString().ToString() : null;
}

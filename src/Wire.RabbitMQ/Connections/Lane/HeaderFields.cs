using System.Collections;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Publishing;

namespace Wire.RabbitMQ.Connections.Lane;

/// <summary>
/// Writes headers as fields, of the same types and in the same bytes as RabbitMQ.Client: arrays of bytes as texts, and decimals with a bit for their
/// sign. One for a channel, whose memory serves one message after the other. Not thread-safe.
/// </summary>
internal sealed class HeaderFields
{
    private readonly FieldTableBuilder _fields = new();

    /// <summary>The fields of a dictionary; none where there are no headers. Valid until the next call.</summary>
    /// <exception cref="ArgumentException">A name or value cannot be written.</exception>
    public FieldTable Of(IDictionary<string, object?>? headers)
    {
        if (headers is null or { Count: 0 })
        {
            return default;
        }

        _fields.Clear();
        try
        {
            AddAll(headers);
            return _fields.Table;
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException)
        {
            throw HeaderFrame.NotWritable(e);
        }
    }

    private void AddAll(IDictionary<string, object?> headers)
    {
        // Mostly it is this type, which can be gone through without an object for it.
        if (headers is Dictionary<string, object?> dictionary)
        {
            foreach ((string name, object? value) in dictionary)
            {
                Add(name, value);
            }

            return;
        }

        foreach ((string name, object? value) in headers)
        {
            Add(name, value);
        }
    }

    private void Add(AmqpString name, object? value)
    {
        switch (value)
        {
            case null:
                _fields.AddField(name, default);
                break;
            case string text:
                _fields.AddField(name, text);
                break;
            case bool boolean:
                _fields.AddField(name, boolean);
                break;
            case int number:
                _fields.AddField(name, number);
                break;
            case long number:
                _fields.AddField(name, number);
                break;
            case byte[] bytes:
                _fields.AddField(name, new AmqpString(bytes));
                break;
            case double number:
                _fields.AddField(name, number);
                break;
            case float number:
                _fields.AddField(name, number);
                break;
            case byte number:
                _fields.AddField(name, number);
                break;
            case sbyte number:
                _fields.AddField(name, number);
                break;
            case short number:
                _fields.AddField(name, number);
                break;
            case ushort number:
                _fields.AddField(name, number);
                break;
            case uint number:
                _fields.AddField(name, number);
                break;
            case decimal number:
                _fields.AddField(name, Decimal(number));
                break;
            case global::RabbitMQ.Client.AmqpTimestamp time:
                _fields.AddField(name, new Timestamp(time.UnixTime));
                break;
            case global::RabbitMQ.Client.BinaryTableValue binary:
                _fields.AddField(name, binary.Bytes);
                break;
            case IDictionary<string, object?> entries:
                _fields.Begin(name, FieldType.Table);
                AddAll(entries);
                _fields.End();
                break;
            case IDictionary entries:
                _fields.Begin(name, FieldType.Table);
                foreach (DictionaryEntry entry in entries)
                {
                    Add(entry.Key as string ?? throw new ArgumentException($"Key of type '{entry.Key.GetType().Name}' cannot appear in a table"), entry.Value);
                }

                _fields.End();
                break;
            case IList elements:
                _fields.Begin(name, FieldType.Array);
                foreach (object? element in elements)
                {
                    Add(default, element);
                }

                _fields.End();
                break;
            default:
                throw new ArgumentException($"Value of type '{value.GetType().Name}' cannot appear as table value");
        }
    }

    private static FieldValue Decimal(decimal value)
    {
        Span<int> parts = stackalloc int[4];
        decimal.GetBits(value, parts);
        return (parts[1] | parts[2]) == 0 && parts[0] >= 0
            ? new FieldValue(FieldType.Decimal, ((ulong)value.Scale << 32) | (uint)parts[0] | ((uint)parts[3] & HeaderObjects.SignOfDecimal))
            : throw new ArgumentException("Decimal overflow in AMQP encoding");
    }
}

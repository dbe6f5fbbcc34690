using System.Buffers.Binary;
using System.Collections;
using RabbitMQ.Client;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using RabbitProperties = RabbitMQ.Client.BasicProperties;

namespace Wire.RabbitMQ.Client;

/// <summary>
/// The properties of messages from and to those of RabbitMQ.Client. A header keeps its bytes in both directions: a byte array of that
/// client is a text here, and its BinaryTableValue is a byte array.
/// </summary>
internal static class ClientProperties
{
    /// <summary>Replaces values in headers that are nested deeper than <see cref="FieldTableBuilder"/> allows.</summary>
    public const string NestedTooDeep = "(left out: tables and arrays can be nested 64 deep)";

    // Besides the headers themselves.
    private const int DeepestNesting = 63;

    private const int SignBit = 31;

    /// <summary>Sets all properties of RabbitMQ.Client, whatever their previous values.</summary>
    public static void Fill(RabbitProperties filled, in Amqp.V091.BasicProperties properties)
    {
        filled.ContentType = properties.ContentType.Text();
        filled.ContentEncoding = properties.ContentEncoding.Text();
        filled.DeliveryMode = (DeliveryModes)(properties.DeliveryMode ?? 0);
        filled.Priority = properties.Priority ?? 0;
        filled.CorrelationId = properties.CorrelationId.Text();
        filled.ReplyTo = properties.ReplyTo.Text();
        filled.Expiration = properties.Expiration.Text();
        filled.MessageId = properties.MessageId.Text();
        filled.Type = properties.Type.Text();
        filled.UserId = properties.UserId.Text();
        filled.AppId = properties.AppId.Text();
        filled.ClusterId = properties.ClusterId.Text();
        if (properties.Timestamp is { } time)
        {
            filled.Timestamp = new AmqpTimestamp(time.Seconds);
        }
        else
        {
            filled.ClearTimestamp();
        }

        // Without any, the client would allocate a dictionary for each message.
        IDictionary<string, object?> headers = filled.Headers ??= new Dictionary<string, object?>();
        headers.Clear();
        Fill(headers, properties.Headers);
    }

    /// <summary>Properties as they were read by RabbitMQ.Client.</summary>
    public static Amqp.V091.BasicProperties From(IReadOnlyBasicProperties properties) => new()
    {
        ContentType = properties.ContentType,
        ContentEncoding = properties.ContentEncoding,
        Headers = TableOf(properties.Headers),
        DeliveryMode = properties.IsDeliveryModePresent() ? (byte)properties.DeliveryMode : null,
        Priority = properties.IsPriorityPresent() ? properties.Priority : null,
        CorrelationId = properties.CorrelationId,
        ReplyTo = properties.ReplyTo,
        Expiration = properties.Expiration,
        MessageId = properties.MessageId,
        Timestamp = properties.IsTimestampPresent() ? new Timestamp(properties.Timestamp.UnixTime) : null,
        Type = properties.Type,
        UserId = properties.UserId,
        AppId = properties.AppId,
        ClusterId = properties.ClusterId,
    };

    /// <summary>Arguments as RabbitMQ.Client takes them; null where there are none.</summary>
    /// <exception cref="ArgumentException">An argument is of a type that no field has, or the broker cannot hold it.</exception>
    public static IDictionary<string, object?>? Arguments(IReadOnlyDictionary<string, object?>? arguments)
    {
        if (arguments is null)
        {
            return null;
        }

        FieldTable table = FieldTable.Create(arguments);

        // Measured as the arguments of a method: that refuses what the broker would close the connection over.
        FrameWriter.SizeOf(new QueueDeclare { Arguments = table });
        var made = new Dictionary<string, object?>();
        Fill(made, table);
        return made;
    }

    /// <summary>
    /// The value of an object of a type of RabbitMQ.Client, for headers that it has received and that are sent again; null for any other.
    /// </summary>
    public static FieldValue? OwnValue(object value) => value switch
    {
        AmqpTimestamp time => new Timestamp(time.UnixTime),
        BinaryTableValue binary => binary.Bytes,
        _ => null,
    };

    private static void Fill(IDictionary<string, object?> filled, in FieldTable table)
    {
        foreach ((AmqpString name, FieldValue value) in table)
        {
            filled[name.ToString()] = ObjectOf(in value);
        }
    }

    private static object? ObjectOf(in FieldValue value)
    {
        switch (value.Type)
        {
            case FieldType.String:
                return value.AsBytes().ToArray();
            case FieldType.Bytes:
                return new BinaryTableValue(value.AsBytes().ToArray());
            case FieldType.Timestamp:
                return new AmqpTimestamp(value.AsTimestamp().Seconds);
            case FieldType.Decimal:
                return WithSignBit(value.AsDecimal());
            case FieldType.Table:
                var table = new Dictionary<string, object?>();
                Fill(table, value.AsTable());
                return table;
            case FieldType.Array:
                var array = new List<object?>();
                foreach (FieldValue element in value.AsArray())
                {
                    array.Add(ObjectOf(in element));
                }

                return array;
            default:
                return value.ToObject();
        }
    }

    private static FieldTable TableOf(IDictionary<string, object?>? headers)
    {
        if (headers is null or { Count: 0 })
        {
            return default;
        }

        var builder = new FieldTableBuilder();
        AddAll(builder, headers, DeepestNesting);
        return builder.Table;
    }

    // Headers of any other program can be read: the handler of the delivery interprets them.
    private static void AddAll(FieldTableBuilder builder, IDictionary<string, object?> fields, int levelsLeft)
    {
        foreach ((string name, object? value) in fields)
        {
            switch (value)
            {
                case IDictionary<string, object?> or IList and not byte[] when levelsLeft == 0:
                    builder.Add(Fitting(name), NestedTooDeep);
                    break;
                case IDictionary<string, object?> table:
                    builder.BeginTable(Fitting(name));
                    AddAll(builder, table, levelsLeft - 1);
                    builder.End();
                    break;
                case IList array and not byte[]:
                    builder.BeginArray(Fitting(name));
                    AddAll(builder, array, levelsLeft - 1);
                    builder.End();
                    break;
                default:
                    builder.Add(Fitting(name), ValueOf(value));
                    break;
            }
        }
    }

    private static void AddAll(FieldTableBuilder builder, IList elements, int levelsLeft)
    {
        foreach (object? element in elements)
        {
            switch (element)
            {
                case IDictionary<string, object?> or IList and not byte[] when levelsLeft == 0:
                    builder.Add(NestedTooDeep);
                    break;
                case IDictionary<string, object?> table:
                    builder.BeginTable();
                    AddAll(builder, table, levelsLeft - 1);
                    builder.End();
                    break;
                case IList array and not byte[]:
                    builder.BeginArray();
                    AddAll(builder, array, levelsLeft - 1);
                    builder.End();
                    break;
                default:
                    builder.Add(ValueOf(element));
                    break;
            }
        }
    }

    private static FieldValue ValueOf(object? value) => value switch
    {
        byte[] text => new AmqpString(text),
        decimal number => AsReceived(number),
        { } other when OwnValue(other) is { } own => own,
        _ => FieldValue.From(value),
    };

    // Invalid UTF-8 grows when it is read, and may now exceed the limit of a name.
    private static AmqpString Fitting(AmqpString name) =>
        name.ByteCount <= byte.MaxValue ? name : new AmqpString(name.Utf8[..byte.MaxValue]);

    // The same 32 bits are in two's complement here, and have a sign bit there.
    private static decimal WithSignBit(decimal value)
    {
        int number = decimal.Sign(value) * MantissaOf(value);
        return new decimal(number & int.MaxValue, 0, 0, number >>> SignBit != 0, value.Scale);
    }

    // A view of the bytes: a negative number is not converted.
    private static FieldValue AsReceived(decimal value)
    {
        byte[] field = [1, (byte)'k', (byte)FieldType.Decimal, value.Scale, 0, 0, 0, 0];
        BinaryPrimitives.WriteInt32BigEndian(
            field.AsSpan(field.Length - sizeof(int)), MantissaOf(value) | (decimal.IsNegative(value) ? int.MinValue : 0));
        return new FieldTable(field)["k"];
    }

    private static int MantissaOf(decimal value)
    {
        Span<int> parts = stackalloc int[4];
        decimal.GetBits(value, parts);
        return parts[0];
    }
}

using System.Collections;
using RabbitMQ.Client;
using Wire.Amqp.Bodies;
using Wire.Amqp.V091;

namespace Wire.Amqp.Tests.Interop;

/// <summary>Compares what RabbitMQ.Client was given to write with what Wire has read of it.</summary>
internal static class FieldAssert
{
    public static void Same(RabbitMQ.Client.BasicProperties expected, Amqp.V091.BasicProperties actual)
    {
        Assert.Equal(expected.ContentType, actual.ContentType.ToString());
        Assert.Equal(expected.ContentEncoding, actual.ContentEncoding.ToString());
        Same(expected.Headers!, actual.Headers);
        Assert.Equal((byte)expected.DeliveryMode, actual.DeliveryMode);
        Assert.Equal(expected.Priority, actual.Priority);
        Assert.Equal(expected.CorrelationId, actual.CorrelationId.ToString());
        Assert.Equal(expected.ReplyTo, actual.ReplyTo.ToString());
        Assert.Equal(expected.Expiration, actual.Expiration.ToString());
        Assert.Equal(expected.MessageId, actual.MessageId.ToString());
        Assert.Equal(expected.Timestamp.UnixTime, actual.Timestamp!.Value.Seconds);
        Assert.Equal(expected.Type, actual.Type.ToString());
        Assert.Equal(expected.UserId, actual.UserId.ToString());
        Assert.Equal(expected.AppId, actual.AppId.ToString());
        Assert.Equal(expected.ClusterId, actual.ClusterId.ToString());
    }

    public static void Same(IDictionary<string, object?> expected, FieldTable actual)
    {
        using IEnumerator<KeyValuePair<string, object?>> fields = expected.GetEnumerator();
        foreach ((AmqpString key, FieldValue value) in actual)
        {
            Assert.True(fields.MoveNext());
            Assert.Equal(fields.Current.Key, key.ToString());
            Same(fields.Current.Value, value);
        }

        Assert.False(fields.MoveNext());
    }

    private static void Same(object? expected, FieldValue actual)
    {
        switch (expected)
        {
            case BinaryTableValue binary:
                Assert.Equal(FieldType.Bytes, actual.Type);
                Assert.Equal(binary.Bytes, actual.AsBytes().ToArray());
                break;
            case byte[] bytes:
                // The client makes no difference between texts and arrays of bytes.
                Assert.Equal(FieldType.String, actual.Type);
                Assert.Equal(bytes, actual.AsBytes().ToArray());
                break;
            case AmqpTimestamp time:
                Assert.Equal(time.UnixTime, actual.AsTimestamp().Seconds);
                break;
            case decimal number when decimal.IsNegative(number):
                Assert.Equal(number, OfSignAndAmount(actual.AsDecimal()));
                break;
            case IDictionary<string, object?> table:
                Same(table, actual.AsTable());
                break;
            case IList list:
                int next = 0;
                foreach (FieldValue element in actual.AsArray())
                {
                    Same(list[next++], element);
                }

                Assert.Equal(list.Count, next);
                break;
            default:
                Assert.Equal(expected, actual.ToObject());
                Assert.Equal(expected?.GetType(), actual.ToObject()?.GetType());
                break;
        }
    }

    // The client writes the amount and, in the highest bit, the sign; Wire reads two's complement, as the specification has it.
    private static decimal OfSignAndAmount(decimal read)
    {
        int bits = -decimal.GetBits(read)[0];
        return new decimal(bits & int.MaxValue, 0, 0, isNegative: true, read.Scale);
    }
}

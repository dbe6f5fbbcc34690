using System.Buffers;
using Wire;
using Wire.Amqp;
using Wire.Amqp.V091;

namespace Amqp;

/// <summary>AMQP 0-9-1: a message in frames, written and read.</summary>
internal static class Version091
{
    public static void Run()
    {
        #region A typed message in frames

        var serializer = new Serializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(), // what a payload may name
        });
        var body = new AmqpBody(serializer);
        using var output = new AmqpBuffer(); // one per connection, reused

        Message order = new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m);
        var publish = new BasicPublish { Exchange = "orders", RoutingKey = "placed", Mandatory = true };
        var properties = new BasicProperties { MessageId = order.Id.ToString(), DeliveryMode = 2, Headers = Headers() };
        body.Write(output, channel: 1, in publish, in properties, order, frameMax: 131_072);
        ReadOnlySequence<byte> toSend = output.Written; // send it, then output.Clear()

        #endregion

        Console.WriteLine($"An order takes {toSend.Length} bytes in frames of 0-9-1.");
        Read(toSend, body);

        // Its last byte, which is the end octet of the body's frame, does not come, or is another.
        byte[] damaged = toSend.ToArray();
        damaged[^1] = 0;
        TryRead(toSend.Slice(0, toSend.Length - 1));
        TryRead(new ReadOnlySequence<byte>(damaged));
    }

    private static FieldTable Headers()
    {
        #region A table

        var builder = new FieldTableBuilder(); // reused, it allocates nothing
        builder.Add("tenant", "shop-1");
        builder.Add("attempt", 3);
        builder.BeginTable("trace");
        builder.Add("sampled", true);
        builder.End();
        FieldTable headers = builder.ToTable(); // its bytes: from now on to write it is to copy it

        long attempt = headers["attempt"].AsInt64();
        foreach ((AmqpString key, FieldValue value) in headers)
        {
            Console.WriteLine($"  header {key} = {value} ({value.Type})");
        }

        #endregion

        Console.WriteLine($"  attempt {attempt}");
        return headers;
    }

    private static void Read(ReadOnlySequence<byte> received, AmqpBody body)
    {
        #region Frames from what was received

        var frames = new FrameReader(received, frameMax: 131_072);
        using var content = new ContentReader(maxBodySize: 1 << 27); // one per channel, reused
        while (frames.TryRead(out Frame frame))
        {
            if (frame.Type == FrameType.Method && frame.MethodId == MethodId.BasicPublish)
            {
                content.BeginMessage(in frame);
            }
            else if (content.IsIncomplete && content.Add(in frame))
            {
                BasicPublish method = content.Method.ReadMethod<BasicPublish>();
                ContentHeader header = content.Header.ReadContentHeader();
                Message? message = body.Read<Message>(in header.Properties, content.Body);
                Console.WriteLine($"  {method.Exchange}/{method.RoutingKey}: {message}");
            }
        }

        // frames.Position is what a PipeReader is advanced to; content.Keep() first, if a message is not complete.

        #endregion
    }

    private static void TryRead(ReadOnlySequence<byte> received)
    {
        #region Input that is cut or damaged

        var frames = new FrameReader(received, frameMax: 131_072);
        try
        {
            while (frames.TryRead(out Frame frame))
            {
                Console.WriteLine($"  {frame.Type} of {frame.PayloadLength} bytes on channel {frame.Channel}");
            }

            // All frames that are there have been read. The input from frames.Position on is the beginning of one, or nothing.
            Console.WriteLine($"  at least {frames.Missing} bytes to come");
        }
        catch (AmqpFormatException e)
        {
            // No more bytes will mend it: close the connection.
            Console.WriteLine($"  {e.Error} at byte {e.Offset}: {e.Message}");
        }

        #endregion
    }
}

using System.Buffers;
using Wire.Amqp;
using V091 = Wire.Amqp.V091;
using V10 = Wire.Amqp.V10;

namespace Wire.Instructions;

/// <summary>What is counted of AMQP: what a connection does for each message.</summary>
internal sealed partial class Operations
{
    private const int FrameMax = 131_072;

    private void AddAmqp()
    {
        AddTable();
        AddPublish();
        AddBody();
        AddMessage();
    }

    private void AddTable()
    {
        var builder = new V091.FieldTableBuilder();
        Add(
            "AMQP table of 10 fields",
            2000,
            () =>
            {
                builder.Clear();
                builder.Add("tenant", "shop-1");
                builder.Add("region", "eu-central");
                builder.Add("attempt", 3);
                builder.Add("size", 1_234_567_890_123L);
                builder.Add("ratio", 0.75);
                builder.Add("urgent", true);
                builder.Add("retries", (short)5);
                builder.Add("version", (byte)2);
                builder.Add("at", new V091.Timestamp(1_700_000_000));
                builder.Add("none", default);
                _output.Write(builder.Table.Encoded.Span);
            },
            bytes =>
            {
                long sum = 0;
                foreach ((AmqpString key, V091.FieldValue value) in new V091.FieldTable(bytes))
                {
                    sum += key.ByteCount + (long)value.Type;
                }

                _sum += sum;
                return null;
            });
    }

    private void AddPublish()
    {
        var publish = new V091.BasicPublish { Exchange = "orders", RoutingKey = "eu.placed" };
        var properties = new V091.BasicProperties { ContentType = "application/x-wire", DeliveryMode = 2, CorrelationId = "c-1234567890", MessageId = "m-1234567890", Type = "Shop.OrderPlaced" };
        byte[] body = new byte[512];
        var content = new V091.ContentReader();
        Add(
            "AMQP basic.publish, 5 properties, 512 B",
            2000,
            () =>
            {
                V091.FrameWriter.Write(_output, 1, in publish);
                V091.FrameWriter.WriteContentHeader(_output, 1, (ulong)body.Length, in properties);
                V091.FrameWriter.WriteBody(_output, 1, body, FrameMax);
            },
            bytes =>
            {
                Receive(content, bytes);
                V091.BasicPublish method = content.Method.ReadMethod<V091.BasicPublish>();
                V091.ContentHeader header = content.Header.ReadContentHeader();
                _sum += method.RoutingKey.ByteCount + header.Properties.MessageId.ByteCount + content.Body.Length;
                return null;
            });
    }

    private void AddBody()
    {
        var body = new AmqpBody(new Serializer());
        var frames = new AmqpBuffer();
        var publish = new V091.BasicPublish { Exchange = "orders", RoutingKey = "eu.placed" };
        var poco = Bench.Poco.Create(1);
        var content = new V091.ContentReader();
        Add(
            "AMQP body, POCO, defaults",
            2000,
            () =>
            {
                frames.Clear();
                body.Write(frames, 1, in publish, default, poco, FrameMax);
                foreach (ReadOnlyMemory<byte> part in frames.Written)
                {
                    _output.Write(part.Span);
                }
            },
            bytes =>
            {
                Receive(content, bytes);
                V091.ContentHeader header = content.Header.ReadContentHeader();
                return body.Read<Bench.Poco>(in header.Properties, content.Body);
            });
    }

    private void AddMessage()
    {
        var properties = new V10.Properties { MessageId = 1_234_567UL, To = "queue/orders", Subject = "Shop.OrderPlaced", CorrelationId = "c-1234567890", ContentType = "application/x-wire" };
        var application = new V10.ApplicationProperties { Map = V10.AmqpValue.Map(("tenant", "shop-1"), ("attempt", 3), ("urgent", true)) };
        var data = new V10.DataSection { Bytes = new ReadOnlySequence<byte>(new byte[1024]) };
        Add(
            "AMQP 1.0 message, properties, 1 KB",
            2000,
            () =>
            {
                V10.MessageWriter.Write(_output, in properties);
                V10.MessageWriter.Write(_output, in application);
                V10.MessageWriter.Write(_output, in data);
            },
            bytes =>
            {
                var reader = new V10.MessageReader(bytes);
                while (reader.TryRead(out V10.Section section))
                {
                    _sum += section.Kind switch
                    {
                        V10.SectionKind.Properties => section.Read<V10.Properties>().To.ByteCount,
                        V10.SectionKind.ApplicationProperties => section.Read<V10.ApplicationProperties>().Map["attempt"].As<int>(),
                        _ => section.Read<V10.DataSection>().Bytes.Length,
                    };
                }

                return null;
            });
    }

    private static void Receive(V091.ContentReader content, byte[] bytes)
    {
        var reader = new V091.FrameReader(bytes, FrameMax);
        reader.TryRead(out V091.Frame frame);
        content.Begin(in frame);
        while (reader.TryRead(out frame))
        {
            content.Add(in frame);
        }
    }
}

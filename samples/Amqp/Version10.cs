using System.Buffers;
using Wire;
using Wire.Amqp;
using Wire.Amqp.V10;

namespace Amqp;

/// <summary>AMQP 1.0: a message of sections, written and read.</summary>
internal static class Version10
{
    public static void Run()
    {
        var body = new AmqpBody(new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>() }));
        using var output = new AmqpBuffer();

        #region A typed message in sections

        Message order = new OrderShipped(Guid.NewGuid(), DateTime.UtcNow, 2);
        var properties = new Properties { MessageId = order.Id, To = "orders", CreationTime = DateTimeOffset.UtcNow };
        var application = new ApplicationProperties { Map = AmqpValue.Map(("tenant", "shop-1"), ("attempt", 3)) };
        MessageWriter.Write(output, new Header { Durable = true });
        body.Write(output, in properties, in application, order);

        #endregion

        Console.WriteLine($"An order takes {output.Length} bytes in sections of 1.0.");
        Read(output.Written, body);
        Values();
    }

    private static void Read(ReadOnlySequence<byte> received, AmqpBody body)
    {
        #region Sections of what was received

        Properties properties = default;
        var reader = new MessageReader(in received);
        while (reader.TryRead(out Section section))
        {
            switch (section.Kind)
            {
                case SectionKind.Properties:
                    properties = section.Read<Properties>();
                    break;
                case SectionKind.ApplicationProperties:
                    AmqpMap application = section.Read<ApplicationProperties>().Map;
                    Console.WriteLine($"  attempt {application["attempt"].As<int>()}");
                    break;
                case SectionKind.Data:
                    Console.WriteLine($"  {body.Read<Message>(in properties, section.Read<DataSection>())}");
                    break;
            }
        }

        #endregion
    }

    private static void Values()
    {
        #region Values of AMQP 1.0

        var builder = new AmqpBuilder(); // reused, it allocates nothing
        builder.BeginMap();
        builder.Add("count", -1L); // a long of two bytes: the shortest encoding is chosen
        builder.Add("price").Add(19.90m); // a decimal128
        builder.Add("tags").BeginList().Add("new").Add(new AmqpSymbol("eu")).End();
        AmqpValue value = builder.End().Build();

        foreach ((AmqpValue key, AmqpValue item) in value.As<AmqpMap>())
        {
            Console.WriteLine($"  {key} = {item} ({item.Type})");
        }

        #endregion
    }
}

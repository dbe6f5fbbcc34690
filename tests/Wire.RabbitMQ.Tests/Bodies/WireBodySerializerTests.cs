using FsCheck;
using FsCheck.Fluent;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using Wire.Amqp;
using Wire.RabbitMQ.Consuming;

namespace Wire.RabbitMQ.Tests.Bodies;

/// <summary>Objects as bodies with the properties that go with them, and back from a delivery.</summary>
public sealed class WireBodySerializerTests
{
    [Fact]
    public void What_is_written_is_read_from_the_delivery_of_it() => Prop.ForAll<Guid, string, int>((id, customer, cents) =>
    {
        var message = new OrderPlaced(id, customer, cents / 100m);
        using WireBody body = Shop.Serializer.Write<Message>(message);
        return Shop.Serializer.Read<Message>(Delivery(body)) is OrderPlaced read && read == message;
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void The_properties_say_what_the_body_is()
    {
        long before = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        using WireBody body = Shop.Serializer.Write<Message>(new GiftPlaced(Guid.NewGuid(), "Ada", 1, "Hello"));

        Assert.Equal("application/x-wire", body.Properties.ContentType);
        Assert.Equal("Wire.RabbitMQ.Tests.GiftPlaced", body.Properties.Type);
        Assert.False(body.Properties.IsContentEncodingPresent());
        Assert.False(string.IsNullOrEmpty(body.Properties.MessageId));
        Assert.InRange(body.Properties.Timestamp.UnixTime, before, DateTimeOffset.UtcNow.ToUnixTimeSeconds());
    }

    [Fact]
    public void What_the_program_says_itself_stays()
    {
        var properties = new BasicProperties { MessageId = "mine", Type = "order", Timestamp = new AmqpTimestamp(7), CorrelationId = "c" };
        using WireBody body = Shop.Serializer.Write(new Parcels(Guid.NewGuid(), []), properties);

        Assert.Same(properties, body.Properties);
        Assert.Equal(
            ("mine", "order", 7L, "c"), (properties.MessageId, properties.Type, properties.Timestamp.UnixTime, properties.CorrelationId));
    }

    [Fact]
    public void Every_message_has_a_name_of_its_own()
    {
        var ids = new HashSet<string>();
        for (int i = 0; i < 1000; i++)
        {
            using WireBody body = Shop.Serializer.Write(i);
            Assert.True(ids.Add(body.Properties.MessageId!));
        }
    }

    [Theory]
    [InlineData(Compression.Brotli, "br")]
    [InlineData(Compression.GZip, "gzip")]
    [InlineData(Compression.Deflate, "deflate")]
    public void A_compressed_body_says_so_and_one_that_does_not_become_smaller_goes_as_it_is(Compression compression, string name)
    {
        var serializer = new WireBodySerializer(Shop.Serializer.Serializer, new AmqpBodyOptions { Compression = compression });
        var zeros = new Parcels(Guid.NewGuid(), new byte[100_000]);
        byte[] noise = new byte[100_000];
        new Random(1).NextBytes(noise);
        var random = new Parcels(Guid.NewGuid(), noise);

        using WireBody small = serializer.Write(zeros);
        using WireBody large = serializer.Write(random);

        Assert.Equal(name, small.Properties.ContentEncoding);
        Assert.True(small.Memory.Length < 10_000);
        Assert.Null(large.Properties.ContentEncoding);
        Assert.Equal(zeros, Shop.Serializer.Read<Parcels>(Delivery(small)));
        Assert.Equal(random, Shop.Serializer.Read<Parcels>(Delivery(large)));
    }

    [Fact]
    public void Bodies_that_are_open_at_the_same_time_have_memory_of_their_own()
    {
        using WireBody first = Shop.Serializer.Write("first");
        WireBody second = Shop.Serializer.Write("second");
        Assert.Equal("first", Shop.Serializer.Read<string>(Delivery(first)));
        Assert.Equal("second", Shop.Serializer.Read<string>(Delivery(second)));

        second.Dispose();
        second.Dispose();
        Assert.Throws<ObjectDisposedException>(() => second.Memory);
        using WireBody third = Shop.Serializer.Write("third");
        Assert.Equal("first", Shop.Serializer.Read<string>(Delivery(first)));
    }

    [Fact]
    public void Other_content_is_refused_before_it_is_looked_at()
    {
        var delivery =
            new BasicDeliverEventArgs("", 1, false, "", "", new BasicProperties { ContentType = "application/json" }, "{}"u8.ToArray());
        var error = Assert.Throws<AmqpFormatException>(() => Shop.Serializer.Read<object>(delivery));
        Assert.Contains("application/json", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("application/json")]
    [InlineData("x")]
    public void A_content_type_of_other_bodies_is_not_written(string type)
    {
        var properties = new BasicProperties { ContentType = type };
        ArgumentException error = Assert.Throws<ArgumentException>(() => Shop.Serializer.Write("text", properties));
        Assert.Contains($"'{type}'", error.Message, StringComparison.Ordinal);
        Assert.Equal(type, properties.ContentType);

        // That of an earlier body is, and so is another way to write it.
        foreach (string own in (string[])["application/x-wire", "Application/X-Wire; v=1", ""])
        {
            using WireBody body = Shop.Serializer.Write("text", new BasicProperties { ContentType = own });
            Assert.Equal("text", Shop.Serializer.Read<string>(new BasicProperties { ContentType = own }, body.Memory));
            Assert.Equal("text", Shop.Serializer.Read<string>(Delivery(body)));
        }
    }

    [Fact]
    public void A_section_of_AMQP_10_that_the_broker_has_passed_on_is_named()
    {
        var error = Assert.Throws<AmqpFormatException>(
            () => Shop.Serializer.Read<object>(new BasicProperties { Type = "amqp-1.0" }, new byte[] { 0, 0x53, 0x77, 0xa0, 1, 0x10 }));
        Assert.Contains("a section of AMQP 1.0", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_type_that_nobody_allowed_is_refused()
    {
        using WireBody body = Shop.Serializer.Write(new Stranger("Eve"));
        Assert.Throws<TypeRefusedException>(() => Shop.Serializer.Read<object>(Delivery(body)));
    }

    [Fact]
    public void What_cannot_be_serialized_leaves_the_next_body_as_it_should_be()
    {
        Assert.Throws<UnsupportedTypeException>(() => Shop.Serializer.Write(new object[] { 1, (Action)(() => { }) }));
        using WireBody body = Shop.Serializer.Write("next");
        Assert.Equal("next", Shop.Serializer.Read<string>(Delivery(body)));
    }

    private static BasicDeliverEventArgs Delivery(WireBody body) => new("tag", 1, false, "", "queue", body.Properties, body.Memory);
}

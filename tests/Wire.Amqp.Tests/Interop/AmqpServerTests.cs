using System.Buffers;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using Wire.Amqp.Bodies;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using BasicProperties = RabbitMQ.Client.BasicProperties;

namespace Wire.Amqp.Tests.Interop;

/// <summary>RabbitMQ.Client talks to a server made of Wire.Amqp.</summary>
public sealed class AmqpServerTests
{
    // Frames small enough for a body of three, and large enough for the headers.
    private const int FrameMax = 128 * 1024;
    private static readonly byte[] ThreeFrames = [.. Enumerable.Range(0, (2 * (FrameMax - 8)) + 1).Select(i => (byte)(i * 31))];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_the_client_publishes_is_what_Wire_reads(bool confirms)
    {
        await using var broker = new AmqpServer(FrameMax);
        await using IConnection connection = await ConnectAsync(broker);
        await using IChannel channel = await connection.CreateChannelAsync(new CreateChannelOptions(confirms, confirms));
        await channel.ExchangeDeclareAsync("exchange", ExchangeType.Topic, arguments: ClientSamples.Table());

        long number = 0;
        foreach (byte[] body in (byte[][])[ClientSamples.SmallBody, [], ThreeFrames, ClientSamples.ThreeFrameBody])
        {
            BasicProperties expected = ClientSamples.AllProperties();
            if (confirms)
            {
                // The client adds a header of its own.
                expected.Headers!.Add("x-dotnet-pub-seq-no", ++number);
            }

            // With confirmations this returns when the broker has confirmed the message.
            await channel.BasicPublishAsync("exchange", ClientSamples.Text, mandatory: true, ClientSamples.AllProperties(), body);
            ReceivedMessage read = await broker.NextAsync();
            Assert.Equal("exchange", read.Method.Exchange.ToString());
            Assert.Equal(ClientSamples.Text, read.Method.RoutingKey.ToString());
            Assert.True(read.Method.Mandatory);
            Assert.False(read.Method.Immediate);
            Assert.Equal(body, read.Body);
            FieldAssert.Same(expected, read.Properties);
        }

        await connection.CloseAsync();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(5000)]
    [InlineData((2 * (FrameMax - 8)) + 1)]
    public async Task What_Wire_delivers_is_what_the_consumer_gets(int length)
    {
        await using var broker = new AmqpServer(FrameMax);
        await using IConnection connection = await ConnectAsync(broker);
        await using IChannel channel = await connection.CreateChannelAsync();
        CollectingConsumer consumer = await ConsumeAsync(channel);

        var method =
            new BasicDeliver { DeliveryTag = ulong.MaxValue, Redelivered = true, Exchange = "exchange", RoutingKey = ClientSamples.Text };
        await broker.DeliverAsync(method, WireSamples.AllProperties(), ThreeFrames.AsMemory(0, length));
        await broker.DeliverAsync(default, default, ClientSamples.SmallBody);

        Delivery full = await consumer.NextAsync();
        Assert.Equal(
            ("tag", ulong.MaxValue, true, "exchange", ClientSamples.Text),
            (full.ConsumerTag, full.DeliveryTag, full.Redelivered, full.Exchange, full.RoutingKey));
        Assert.Equal(ThreeFrames.AsSpan(0, length), full.Body.AsSpan());
        AssertAll(full.Properties);
        Delivery plain = await consumer.NextAsync();
        Assert.Equal(
            ("tag", 0UL, false, "", ""), (plain.ConsumerTag, plain.DeliveryTag, plain.Redelivered, plain.Exchange, plain.RoutingKey));
        Assert.Equal(ClientSamples.SmallBody, plain.Body);
        Assert.False(plain.Properties.IsHeadersPresent() || plain.Properties.IsTypePresent() || plain.Properties.IsTimestampPresent());
        await connection.CloseAsync();
    }

    public static TheoryData<string, byte[]> Malformed => new()
    {
        { "no end octet", [1, 0, 1, 0, 0, 0, 4, 0, 20, 0, 11, 0xCD] },
        { "no such type of frame", [9, 0, 1, 0, 0, 0, 0, 0xCE] },
        { "a text that is longer than its frame", [1, 0, 1, 0, 0, 0, 5, 0, 60, 0, 60, 200, 0xCE, .. HeaderWith([])] },
        { "no such type of field", [.. Deliver(), .. HeaderWith([1, (byte)'k', (byte)'Z', 0, 0, 0, 0])] },
    };

    [Theory]
    [MemberData(nameof(Malformed))]
    public async Task The_client_complains_of_what_is_malformed(string what, byte[] frames)
    {
        await using var broker = new AmqpServer(FrameMax);
        await using IConnection connection = await ConnectAsync(broker);
        await using IChannel channel = await connection.CreateChannelAsync();
        await ConsumeAsync(channel);
        var complaint = new TaskCompletionSource<ShutdownEventArgs>();
        connection.ConnectionShutdownAsync += (_, reason) =>
        {
            complaint.TrySetResult(reason);
            return Task.CompletedTask;
        };

        await broker.SendAsync((output, _, _) => output.Write(frames));
        ShutdownEventArgs reason = await complaint.Task.WaitAsync(TimeSpan.FromSeconds(10));
        Assert.True(reason.Initiator == ShutdownInitiator.Library, $"{what}: {reason}");
    }

    [Fact]
    public async Task A_broker_that_discards_confirms_what_it_has_counted()
    {
        const int Messages = 2000;
        await using var broker = new AmqpServer(discards: true);
        await using IConnection connection = await ConnectAsync(broker);
        await using IChannel channel = await connection.CreateChannelAsync(new CreateChannelOptions(true, true));
        var publishing = new List<Task>();
        for (int i = 0; i < Messages; i++)
        {
            publishing.Add(channel.BasicPublishAsync("", "key", ClientSamples.ThreeFrameBody).AsTask());
        }

        await Task.WhenAll(publishing).WaitAsync(TimeSpan.FromSeconds(30));
        Assert.Equal(Messages, broker.Discarded);
        await connection.CloseAsync();
    }

    private static Task<IConnection> ConnectAsync(AmqpServer broker) => new ConnectionFactory
    {
        HostName = "127.0.0.1",
        Port = broker.Port,
        AutomaticRecoveryEnabled = false,
        TopologyRecoveryEnabled = false,
    }.CreateConnectionAsync();

    private static async Task<CollectingConsumer> ConsumeAsync(IChannel channel)
    {
        Assert.Equal("queue", (await channel.QueueDeclareAsync("queue", durable: true, exclusive: false, autoDelete: false)).QueueName);
        await channel.BasicQosAsync(0, 100, global: false);
        var consumer = new CollectingConsumer(channel);
        Assert.Equal("tag", await channel.BasicConsumeAsync("queue", autoAck: true, "tag", consumer));
        return consumer;
    }

    private static void AssertAll(BasicProperties read)
    {
        Amqp.V091.BasicProperties sent = WireSamples.AllProperties();
        Assert.Equal(sent.ContentType.ToString(), read.ContentType);
        Assert.Equal(sent.ContentEncoding.ToString(), read.ContentEncoding);
        AssertSame(WireSamples.TableOfClient(), read.Headers);
        Assert.Equal(sent.DeliveryMode, (byte)read.DeliveryMode);
        Assert.Equal(sent.Priority, read.Priority);
        Assert.Equal(sent.CorrelationId.ToString(), read.CorrelationId);
        Assert.Equal(sent.ReplyTo.ToString(), read.ReplyTo);
        Assert.Equal(sent.Expiration.ToString(), read.Expiration);
        Assert.Equal(sent.MessageId.ToString(), read.MessageId);
        Assert.Equal(ClientSamples.Moment, read.Timestamp);
        Assert.Equal(sent.Type.ToString(), read.Type);
        Assert.Equal(sent.UserId.ToString(), read.UserId);
        Assert.Equal(sent.AppId.ToString(), read.AppId);
        Assert.Equal(sent.ClusterId.ToString(), read.ClusterId);
    }

    private static void AssertSame(Dictionary<string, object?> expected, IDictionary<string, object?>? actual)
    {
        Assert.NotNull(actual);
        Assert.Equal(expected.Keys.Order(), actual.Keys.Order());
        foreach ((string key, object? value) in expected)
        {
            if (value is BinaryTableValue binary)
            {
                Assert.Equal(binary.Bytes, Assert.IsType<BinaryTableValue>(actual[key]).Bytes);
            }
            else
            {
                Assert.Equal(value, actual[key]);
                Assert.Equal(value?.GetType(), actual[key]?.GetType());
            }
        }
    }

    private static byte[] Deliver()
    {
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.Write(output, 1, new BasicDeliver { ConsumerTag = "tag" });
        return output.WrittenSpan.ToArray();
    }

    private static byte[] HeaderWith(byte[] table)
    {
        // Measured with a field of the same size, because what is wrong is refused there.
        var right = new FieldTableBuilder();
        right.Add(new string('k', Math.Max(0, table.Length - 2)), default);
        byte[] frame = new byte[FrameWriter.SizeOfContentHeader(
            new Amqp.V091.BasicProperties { Headers = table.Length == 0 ? new FieldTable(table) : right.Table })];
        FrameWriter.WriteContentHeader(frame, 1, 0, new Amqp.V091.BasicProperties { Headers = new FieldTable(table) });
        return frame;
    }
}

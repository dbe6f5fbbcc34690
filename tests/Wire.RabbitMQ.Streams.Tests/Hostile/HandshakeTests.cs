using System.Buffers;
using Wire.Amqp;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Tests.Hostile;

/// <summary>What a broker says while a connection is made is never the argument of whoever makes it.</summary>
public sealed class HandshakeTests
{
    private const string Stream = "stream";

    [Fact]
    public async Task Of_a_command_that_comes_twice_the_last_versions_are_taken()
    {
        await using var server = new StrictStreamServer();
        server.When(CommandKey.ExchangeCommandVersions, Reaction.Send(VersionsTwice()));
        StreamLink link = await StreamLink.ConnectAsync(server.Options, server.Endpoint, CancellationToken.None).WaitAsync(Patience.Limit);
        Assert.Equal(2, link.Versions[CommandKey.Publish]);
        await link.CloseAsync();
    }

    [Fact]
    public async Task A_consumer_comes_back_to_a_broker_that_says_them_twice()
    {
        await using var server = new StrictStreamServer();
        server.Create(Stream);
        await using var client = new StreamClient(server.Options);
        var numbers = new Numbers();
        await using StreamConsumer consumer = await client.ConsumeAsync(
            Stream, numbers.Add, new StreamConsumerOptions { Offset = StreamOffset.First });
        server.Always(CommandKey.ExchangeCommandVersions, Reaction.Send(VersionsTwice()));
        server.CutAll();
        await server.ReceivedAsync(CommandKey.Subscribe, 2);
        server.Append(Stream, ProducerStream.Body(0));
        await Task.WhenAny(numbers.ReachAsync(1), consumer.Completion).Unwrap().WaitAsync(Patience.Limit);
        Assert.False(consumer.Completion.IsCompleted);
    }

    [Fact]
    public async Task A_heartbeat_of_many_years_is_one_of_the_longest_that_there_are()
    {
        await using var server = new StrictStreamServer { Heartbeat = uint.MaxValue };
        StreamLink link = await StreamLink.ConnectAsync(
            server.Options with { RequestedHeartbeat = TimeSpan.Zero }, server.Endpoint, CancellationToken.None).WaitAsync(Patience.Limit);
        Assert.Equal((uint)ushort.MaxValue, server.Connections[0].Agreed?.Heartbeat);
        await link.CloseAsync();
    }

    [Theory]
    [InlineData("0.0.0.0")]
    [InlineData("::0")]
    [InlineData(300)]
    public async Task An_address_that_cannot_be_connected_to_is_looked_for_again(object where)
    {
        string host = where as string ?? new string('x', (int)where);
        await using var server = new StrictStreamServer();
        server.Create(Stream);
        server.Locate = _ => ([new BrokerEndpoint(host, server.Endpoint.Port)], 0);
        var recoveries = new List<StreamRecovery>();
        await using var client = new StreamClient(server.Options with { OnRecovery = recoveries.Add });
        StreamConnectionException error = await Assert.ThrowsAsync<StreamConnectionException>(
            () => client.CreateProducerAsync(Stream).WaitAsync(Patience.Limit));
        Assert.Contains("not a name or address that one can connect to", error.Message, StringComparison.Ordinal);

        server.Locate = null;
        await using StreamProducer producer = await client.CreateProducerAsync(Stream).WaitAsync(Patience.Limit);
        server.Locate = _ => ([new BrokerEndpoint(host, server.Endpoint.Port)], 0);
        int asked = server.Received(CommandKey.Metadata);
        server.CutAll();
        await server.ReceivedAsync(CommandKey.Metadata, asked + 2);
        server.Locate = null;
        await producer.SendBytesAsync(ProducerStream.Body(0)).AsTask().WaitAsync(Patience.Limit);
    }

    [Fact]
    public void What_the_program_says_is_looked_at_before()
    {
        foreach (string text in (string[])["\ud800", new string('x', 40_000)])
        {
            ArgumentException error = Assert.Throws<ArgumentException>(
                () => new StreamClient(new StreamClientOptions { ConnectionName = text }));
            Assert.Equal(nameof(StreamClientOptions.ConnectionName), error.ParamName);
            error = Assert.Throws<ArgumentException>(() => new StreamClient(new StreamClientOptions { VirtualHost = text }));
            Assert.Equal(nameof(StreamClientOptions.VirtualHost), error.ParamName);
        }
    }

    // As the answer to the fifth question of a connection.
    private static byte[] VersionsTwice()
    {
        using var output = new AmqpBuffer();
        IReadOnlyList<VersionRange> versions =
        [
            new VersionRange { Key = (ushort)CommandKey.Publish, Min = 1, Max = 1 },
            new VersionRange { Key = (ushort)CommandKey.Deliver, Min = 1, Max = 2 },
            new VersionRange { Key = (ushort)CommandKey.Publish, Min = 1, Max = 2 },
        ];
        StreamFrames.WriteResponse(
            output, CommandKey.ExchangeCommandVersions, 5, StreamResponseCode.Ok, new ListOf<VersionRange> { Items = versions });
        return output.Written.ToArray();
    }
}

using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>
/// A connection that is lost just while a message is being written: it has not been sent, and waits like all that come later.
/// </summary>
public sealed class ConnectionLossTests
{
    [Theory]
    [InlineData(FrameWriting.Background, true, false)]
    [InlineData(FrameWriting.Inline, true, false)]
    [InlineData(FrameWriting.Inline, false, false)]
    [InlineData(FrameWriting.Background, true, true)]
    [InlineData(FrameWriting.Inline, false, true)]
    public async Task What_is_being_written_goes_out_when_the_connection_is_back(FrameWriting writing, bool confirms, bool hasWaited)
    {
        await using TestChannel direct = await TestChannel.OpenAsync();
        string queue = Broker.UniqueName();
        await direct.Channel.Topology.DeclareQueueAsync(queue).InTime();
        await using TestLink link = await TestLink.ConnectAsync(options => options with { Writing = writing, Body = Striking() });
        AmqpChannel channel = await link.Connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = confirms }).InTime();
        var strike = new Strike { Channel = channel };
        Task recovered = link.NextRecovery();
        Task published;
        if (hasWaited)
        {
            await link.BringDownAsync();
            published = channel.PublishAsync("", queue, strike).AsTask();
            await link.BringUpAsync();
        }
        else
        {
            published = channel.PublishAsync("", queue, strike).AsTask();
            await recovered.InTime();
        }

        await published.InTime();
        Assert.Equal(2, strike.Times);
        await channel.PublishAsync("", queue, 1).AsTask().InTime();
        while (await direct.CountAsync(queue) < 2)
        {
            await Task.Delay(10);
        }

        Assert.Equal(2u, await direct.Channel.Topology.DeleteQueueAsync(queue).InTime());
    }

    // As it is serialized for the first time, the connection is lost on another thread.
    private static AmqpBody Striking() => new(new Serializer(new SerializerOptions
    {
        Surrogates = [Surrogate.Create<Strike, Struck>(strike => strike.Hit(), _ => new Strike())],
    }));

    public sealed class Strike
    {
        public int Times { get; private set; }

        internal AmqpChannel? Channel { get; init; }

        public Struck Hit()
        {
            if (++Times == 1)
            {
                LinkChannel session = Channel!.Engine.Session!.Channel;
                new Thread(() => session.Link.Lose(new AmqpConnectionException("Lost by the test."))).Start();
                SpinWait.SpinUntil(() => session.End is not null);
            }

            return new Struck();
        }
    }

    public sealed class Struck;
}

using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Publishing;

/// <summary>
/// What the broker closes a channel over with 406 is refused, and said to be; what was under way beside it may have arrived.
/// </summary>
[Collection(nameof(PrivateNode))]
public sealed class RefusalTests(PrivateNode node)
{
    private const int MostBytes = 100_000;

    public static TheoryData<string, FrameWriting> Refused
    {
        get
        {
            var data = new TheoryData<string, FrameWriting>();
            foreach (string what in (string[])["user", "expiration", "size"])
            {
                data.Add(what, FrameWriting.Background);
                data.Add(what, FrameWriting.Inline);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Refused))]
    public async Task The_message_that_is_refused_says_so_and_the_others_are_unconfirmed(string what, FrameWriting writing)
    {
        // From RabbitMQ 4 on, a node keeps what it has read of this at its start.
        await node.ControlAsync(
            "eval", $"application:set_env(rabbit, max_message_size, {MostBytes}), persistent_term:put(max_message_size, {MostBytes}).");
        (BasicProperties wrong, int size, string words, string advice) = what switch
        {
            "user" => (new BasicProperties { UserId = "somebody else" }, 10, "user_id property set to 'somebody else'", "user id out"),
            "expiration" => (new BasicProperties { Expiration = "soon" }, 10, "expiration", "decimal digits"),
            _ => (default, MostBytes + 1, $"message size {MostBytes + 1} ", "max_message_size"),
        };
        await using TestLink tested = await TestLink.ConnectAsync(options => options with { Writing = writing }, node.Node.Uri);
        AmqpChannel good = await tested.Connection.OpenChannelAsync().InTime();
        string queue = (await good.Topology.DeclareQueueAsync().InTime()).Name;
        var to = new BasicPublish { Exchange = "", RoutingKey = queue };
        foreach (bool reopens in (bool[])[false, true])
        {
            AmqpChannel channel = await tested.Connection.OpenChannelAsync(new AmqpChannelOptions { Reopens = reopens }).InTime();
            tested.Proxy.ToBroker.Pause();
            Task before = channel.PublishBytesAsync(in to, new BasicProperties { UserId = "guest" }, new byte[10]).AsTask();
            Task refused = channel.PublishBytesAsync(in to, in wrong, new byte[size]).AsTask();
            Task behind = channel.PublishBytesAsync(in to, new BasicProperties { Expiration = "60000" }, new byte[20]).AsTask();
            tested.Proxy.ToBroker.Resume();

            AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(() => refused.InTime());
            Assert.Equal((AmqpPublishFailure.Refused, 406), (error.Failure, error.ReplyCode));
            Assert.Contains(words, error.ReplyText, StringComparison.Ordinal);
            Assert.Contains(words, error.Message, StringComparison.Ordinal);
            Assert.Contains(advice, error.Message, StringComparison.Ordinal);
            Assert.DoesNotContain("may or may not have arrived", error.Message, StringComparison.Ordinal);

            AmqpPublishException other = await Assert.ThrowsAsync<AmqpPublishException>(() => behind.InTime());
            Assert.Equal((AmqpPublishFailure.Unconfirmed, 406), (other.Failure, other.ReplyCode));
            Assert.True(await Record.ExceptionAsync(() => before.InTime()) is null or AmqpPublishException
            {
                Failure: AmqpPublishFailure.Unconfirmed,
            });
            if (reopens)
            {
                await channel.PublishBytesAsync(in to, default, new byte[10]).AsTask().InTime();
            }
        }

        await good.PublishBytesAsync(in to, default, new byte[10]).AsTask().InTime();
        Assert.Equal(1, tested.Proxy.Accepted);
    }
}

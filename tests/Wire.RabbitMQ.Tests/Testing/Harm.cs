using Wire.Amqp.Client;
using Wire.RabbitMQ.Client;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Consuming;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Testing;

/// <summary>Does on a channel of the library what the broker closes it for.</summary>
internal static class Harm
{
    /// <summary>Has the broker answer something on the channel of a subscription.</summary>
    public static Task AnswerAsync(this Subscription subscription) => subscription.Channel is DirectChannel direct
        ? direct.Channel.SetPrefetchAsync(100)
        : ((ClientChannel)subscription.Channel).Raw.LimitAsync(100, CancellationToken.None);

    /// <summary>Has the broker close the channel of a subscription, over a precondition that fails.</summary>
    /// <returns>What the subscription says of that.</returns>
    public static async Task<string> CloseAsync(this Subscription subscription, string queue)
    {
        if (subscription.Channel is DirectChannel direct)
        {
            // It is there, and durable.
            await Assert.ThrowsAsync<AmqpChannelException>(
                () => direct.Channel.Topology.DeclareQueueAsync(queue, new AmqpQueueOptions { Durable = false, AutoDelete = true })
                    .InTime());
        }
        else
        {
            // What was never delivered cannot be acknowledged.
            await ((ClientChannel)subscription.Channel).Raw.AckAsync(1_000_000_000, multiple: false).AsTask().InTime();
        }

        return (await Assert.ThrowsAsync<AmqpChannelException>(() => subscription.Consumer.Ended.InTime())).Message;
    }
}

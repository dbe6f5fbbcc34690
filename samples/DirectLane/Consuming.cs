using System.Threading.Channels;
using Wire.Amqp.Client;

namespace Parcels;

/// <summary>Messages that come, read where they were received.</summary>
internal static class Consuming
{
    public static async Task RunAsync(AmqpChannel channel, AmqpChannel receiving, string queue)
    {
        var all = new TaskCompletionSource();
        int left = 100;

        #region consume
        await using AmqpConsumer consumer = await receiving.ConsumeAsync<ParcelMessage>(queue, (parcel, delivery) =>
        {
            Seen(parcel!); // on the loop that receives: nothing here may block
            return ValueTask.CompletedTask; // and with the end of the handler the message is acknowledged
        });
        #endregion

        for (int i = 0; i < 99; i++)
        {
            _ = channel.PublishAsync("", queue, new ParcelSent(i, "Ada", 2.5)).AsTask();
        }

        await channel.PublishAsync("", queue, new ParcelArrived(99, DateTime.UtcNow));
        await all.Task;
        Console.WriteLine("  100 objects came");

        #region end
        await consumer.DisposeAsync(); // no more come, and the handlers of those that have come have ended
        #endregion

        await KeepAsync(channel, receiving, queue);

        void Seen(ParcelMessage parcel)
        {
            if (--left == 0)
            {
                Console.WriteLine($"  the last is {parcel.GetType().Name} {parcel.Number}");
                all.SetResult();
            }
        }
    }

    private static async Task KeepAsync(AmqpChannel channel, AmqpChannel receiving, string queue)
    {
        const int Count = 10;

        #region keep
        var work = Channel.CreateUnbounded<AmqpDelivery>(); // no more than the prefetch count are in it
        await using AmqpConsumer consumer = await receiving.ConsumeAsync(
            queue,
            delivery =>
            {
                delivery.Keep(); // from now on the reader of the channel owns it
                work.Writer.TryWrite(delivery);
                return ValueTask.CompletedTask;
            },
            new AmqpConsumeOptions { OnError = (delivery, error) => Console.WriteLine($"  {delivery.RoutingKey}: {error.Message}") });
        #endregion

        for (int i = 0; i < Count; i++)
        {
            await channel.PublishAsync("", queue, new ParcelSent(i, "Bob", 1));
        }

        int handled = 0;

        #region kept
        await foreach (AmqpDelivery delivery in work.Reader.ReadAllAsync())
        {
            using (delivery)
            {
                await HandleAsync(delivery.Read<ParcelMessage>()!); // here it may take as long as it takes
                delivery.Ack();
            }

            if (++handled == Count)
            {
                break;
            }
        }
        #endregion

        Console.WriteLine($"  {handled} were kept, and handled elsewhere");
    }

    public static async Task GetAsync(AmqpChannel channel, AmqpChannel receiving, string queue)
    {
        await channel.PublishAsync("", queue, new ParcelArrived(5, DateTime.UtcNow));

        #region get
        if (await receiving.GetAsync(queue) is { } delivery)
        {
            using (delivery)
            {
                Console.WriteLine($"  {delivery.Read<ParcelMessage>()!.Number}, and {delivery.MessageCount} are left");
                delivery.Ack();
            }
        }
        #endregion
    }

    private static async Task HandleAsync(ParcelMessage parcel)
    {
        await Task.Yield();
        _ = parcel.Number;
    }
}

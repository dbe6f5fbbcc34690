using Wire.Amqp.Client;
using Wire.Amqp.V091;

namespace Parcels;

/// <summary>Objects, with confirms.</summary>
internal static class Publishing
{
    public static async Task RunAsync(AmqpChannel channel, string exchange, string queue)
    {
        #region publish
        await channel.PublishAsync(exchange, "parcel.sent", new ParcelSent(1, "Ada", 2.5)); // confirmed when it returns

        var confirms = new List<Task>();
        for (int i = 0; i < 1000; i++)
        {
            confirms.Add(channel.PublishAsync(exchange, "parcel.sent", new ParcelSent(i, "Ada", 2.5)).AsTask());
        }

        await Task.WhenAll(confirms); // many in flight: far faster than one after the other
        #endregion

        Console.WriteLine($"  {confirms.Count + 1} are confirmed");

        var sent = new ParcelSent(7, "Bob", 1);

        #region properties
        var method = new BasicPublish { Exchange = exchange, RoutingKey = "parcel.sent", Mandatory = true };
        var properties = new BasicProperties { DeliveryMode = 2, MessageId = "parcel-7" }; // 2: it outlives a restart of the broker
        await channel.PublishAsync(in method, in properties, sent);
        #endregion

        #region returned
        try
        {
            await channel.PublishAsync(method with { RoutingKey = "letter.sent" }, properties, sent);
        }
        catch (AmqpPublishException e) when (e.Failure == AmqpPublishFailure.Returned)
        {
            Console.WriteLine($"  {e.Message}");
        }
        #endregion

        #region inline
        await channel.PublishAsync(in method, in properties, sent, FrameWriting.Inline); // this one is sent by its caller
        #endregion

        Console.WriteLine($"  {await channel.Topology.PurgeQueueAsync(queue)} are in the queue");
    }
}

using Parcels;
#region first usings
using Wire;
using Wire.Amqp;
using Wire.Amqp.Client;
#endregion

/// <summary>The first program of docs/client.md: one message out, and the same object back.</summary>
internal static class FirstProgram
{
    public static async Task RunAsync(string uri)
    {
        #region first
        AmqpConnectionOptions options = AmqpConnectionOptions.Parse(uri) with // amqp://guest:guest@localhost/
        {
            Body = new AmqpBody(new Serializer(new SerializerOptions
            {
                TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ParcelMessage>(), // what a message may name
            })),
        };
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(options);
        await using AmqpChannel channel = await connection.OpenChannelAsync();
        await channel.Topology.DeclareQueueAsync("parcels");

        var arrived = new TaskCompletionSource<ParcelMessage>();
        await using AmqpConsumer consumer = await channel.ConsumeAsync<ParcelMessage>("parcels", (parcel, delivery) =>
        {
            arrived.TrySetResult(parcel!);
            return ValueTask.CompletedTask; // now the message is acknowledged
        });

        await channel.PublishAsync("", "parcels", new ParcelSent(1, "Ada", 2.5)); // the broker has it when this returns
        Console.WriteLine(await arrived.Task); // ParcelSent { Number = 1, To = Ada, Kilograms = 2.5 }
        #endregion

        await consumer.DisposeAsync();
        await channel.Topology.DeleteQueueAsync("parcels");
    }
}

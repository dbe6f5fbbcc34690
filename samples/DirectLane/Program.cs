using System.Globalization;
using Parcels;
using Shop;
using Wire;
using Wire.Amqp;
using Wire.Amqp.Client;

// The same figures look the same wherever this runs.
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;

using Broker broker = Broker.Find();

// Where it listens, and as whom it is spoken to: amqp://user:password@host:port/vhost
string uri = broker.Uri.OriginalString;

Console.WriteLine("The first program");
await FirstProgram.RunAsync(uri);

#region connect
AmqpConnectionOptions options = AmqpConnectionOptions.Parse(uri) with
{
    ConnectionName = "parcels",
    Body = new AmqpBody(new Serializer(new SerializerOptions
    {
        TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ParcelMessage>(), // what a message may name
    })),
};
await using AmqpConnection publishing = await AmqpConnection.ConnectAsync(options);
await using AmqpConnection consuming = await AmqpConnection.ConnectAsync(options);
#endregion

await using AmqpChannel channel = await publishing.OpenChannelAsync();
await using AmqpChannel receiving = await consuming.OpenChannelAsync(new AmqpChannelOptions { Confirms = false });
string queue = $"parcels-{Guid.NewGuid():N}";
string exchange = $"{queue}-exchange";

Console.WriteLine("Connecting");
await Connecting.RunAsync(options);
Console.WriteLine("Declaring");
await Topology.DeclareAsync(channel, exchange, queue);
Console.WriteLine("Publishing");
await Publishing.RunAsync(channel, exchange, queue);
Console.WriteLine("Bodies");
await Bodies.RunAsync(channel, queue);
Console.WriteLine("Consuming");
await Consuming.RunAsync(channel, receiving, queue);
Console.WriteLine("Fetching");
await Consuming.GetAsync(channel, receiving, queue);
Console.WriteLine("A connection that is lost");
await Recovery.RunAsync(options, queue);
Console.WriteLine("Publishers and consumers over the lane");
await OverTheLane.RunAsync(publishing, consuming);
await OverTheLane.HostAsync(broker.Uri);

await channel.Topology.DeleteQueueAsync(queue);
await channel.Topology.DeleteExchangeAsync(exchange);

Console.WriteLine("Done.");
return 0;

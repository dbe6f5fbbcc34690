#region readme
using Wire;
using Wire.Amqp;
using Wire.Amqp.Client;
#endregion
using System.Net;
using System.Net.Sockets;

// Nobody listens on this port.
using var taken = new TcpListener(IPAddress.Loopback, 0);
taken.Start();
int port = ((IPEndPoint)taken.LocalEndpoint).Port;
taken.Stop();

try
{
    await RunAsync($"amqp://guest:guest@127.0.0.1:{port}/");
}
catch (AmqpConnectionException)
{
    Console.WriteLine("no broker");
}

static async Task RunAsync(string uri)
{
    #region readme
    AmqpConnectionOptions options = AmqpConnectionOptions.Parse(uri) with // amqp://guest:guest@localhost/
    {
        Body = new AmqpBody(new Serializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Parcel>(), // what a message may name
        })),
    };
    await using AmqpConnection connection = await AmqpConnection.ConnectAsync(options);
    await using AmqpChannel channel = await connection.OpenChannelAsync();
    await channel.Topology.DeclareQueueAsync("parcels");

    var arrived = new TaskCompletionSource<Parcel>();
    await using AmqpConsumer consumer = await channel.ConsumeAsync<Parcel>("parcels", (parcel, delivery) =>
    {
        arrived.TrySetResult(parcel!);
        return ValueTask.CompletedTask; // now the message is acknowledged
    });

    await channel.PublishAsync("", "parcels", new ParcelSent(1, "Ada")); // the broker has it when this returns
    Console.WriteLine(await arrived.Task); // ParcelSent { Number = 1, To = Ada }
    #endregion
}

#region readme
public abstract record Parcel(int Number);
public sealed record ParcelSent(int Number, string To) : Parcel(Number);
#endregion

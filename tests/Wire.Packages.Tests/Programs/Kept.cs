#region readme
using System.Data.Common;
using Microsoft.Data.Sqlite;
using Wire;
using Wire.RabbitMQ;
using Wire.RabbitMQ.Outbox;
#endregion
using System.Net;
using System.Net.Sockets;
using Wire.Amqp.Client;

// Nobody listens on this port.
using var taken = new TcpListener(IPAddress.Loopback, 0);
taken.Start();
int port = ((IPEndPoint)taken.LocalEndpoint).Port;
taken.Stop();
string file = Path.GetTempFileName();
try
{
    await RunAsync($"amqp://guest:guest@127.0.0.1:{port}/", file);
}
catch (AmqpConnectionException)
{
    Console.WriteLine("no broker");
}

Console.WriteLine(await new OutboxStore(OutboxDatabase.Sqlite, () => new SqliteConnection($"Data Source={file}")).CountAsync());

static async Task RunAsync(string uri, string file)
{
    #region readme
    var store = new OutboxStore(OutboxDatabase.Sqlite, () => new SqliteConnection($"Data Source={file}"));
    await store.EnsureCreatedAsync();
    var serializer = new WireBodySerializer(new SerializerOptions());
    var outbox = new WireOutbox(store, serializer);

    await using var database = new SqliteConnection($"Data Source={file}");
    await database.OpenAsync();
    await using (DbTransaction transaction = await database.BeginTransactionAsync())
    {
        // ... the rows of the order, and
        await outbox.AddAsync(transaction, "", "orders", new OrderPlaced(1, "Ada", 19.90m));
        await store.CommitAsync(transaction); // both, or neither
    }

    await using WireConnection connection = await WireConnection.ConnectAsync(uri); // amqp://guest:guest@localhost/
    await connection.Topology.DeclareQueueAsync("orders");
    await using var publisher = new WirePublisher(connection, serializer);
    await using var sender = new OutboxSender(store, publisher);
    sender.Start(); // sends what was committed, now and later, by this program or others
    #endregion
}

#region readme
public abstract record Message(int Id);
public sealed record OrderPlaced(int Id, string Customer, decimal Total) : Message(Id);
#endregion

using System.Globalization;
using Sensors;
using Shop;
using Wire;
using Wire.RabbitMQ.Streams;

// The same figures look the same wherever this runs.
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;

int messages = 5_000_000;
if (args.Length > 1 || (args.Length == 1
    && (!int.TryParse(args[0], NumberStyles.AllowThousands, CultureInfo.InvariantCulture, out messages) || messages < 1)))
{
    Console.Error.WriteLine(
        "usage: dotnet run -c Release --project samples/Streams [-- how many messages to publish and read: 5,000,000 unless given]");
    return 2;
}

using Broker broker = Broker.Find();

// Where it listens, and as whom it is spoken to: rabbitmq-stream://user:password@host:port/vhost
string uri = broker.StreamUri;

#region connect
StreamClientOptions options = StreamClientOptions.Parse(uri) with
{
    ConnectionName = "sensors",
    Serializer = new Serializer(new SerializerOptions
    {
        TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Reading>(), // what a message may name
    }),
};
await using StreamClient client = await StreamClient.ConnectAsync(options);
#endregion

await FirstProgram.RunAsync(uri);
await Tour.RunAsync(client, broker.Uri);
await Details.RunAsync(client);
await Hosted.RunAsync(client, uri);
bool right = await Throughput.RunAsync(client, messages);
Console.WriteLine(right ? "Done." : "Not everything came back as it was.");
return right ? 0 : 1;

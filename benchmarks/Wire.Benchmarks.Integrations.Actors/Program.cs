extern alias akka16;

using System.Buffers;
using System.Globalization;
using System.Text;
using Akka.Actor;
using Akka.Serialization;
using Google.Protobuf;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;
using Proto.Remote;
using Wire;
using Wire.Akka;
using Wire.Benchmarks.Integrations;
using Wire.Orleans;
using Wire.ProtoActor;
using AttributedEvent = Wire.Benchmarks.Integrations.Attributed.OrderEvent;
using AttributedSample = Wire.Benchmarks.Integrations.Attributed.Sample;
using JsonSerializer = System.Text.Json.JsonSerializer;
using OrleansSerializer = Orleans.Serialization.Serializer;

// Bytes and time of one polymorphic message through the serializers of actor frameworks, in interleaved rounds of one process.
const int WarmUp = 200;
const int Rounds = 301;

OrderPlaced order = Sample.Create();
var options = new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<OrderEvent>().AllowDerivedFrom<Payment>() };
SerializerOptions known = options with
{
    KnownTypes = KnownTypes.Create([new(1, typeof(OrderPlaced)), new(2, typeof(CardPayment)), new(3, typeof(OrderLine))]),
};

using ActorSystem system = ActorSystem.Create("table", "akka.loglevel = OFF, akka.stdout-loglevel = OFF");
var extended = (ExtendedActorSystem)system;
Contender[] contenders =
[
    AkkaRow("Newtonsoft.Json, the default", new NewtonSoftJsonSerializer(extended)),
    AkkaRow("Hyperion", new HyperionSerializer(extended)),
    AkkaRow("Wire", new Wire.Akka.WireSerializer(extended, options)),
    AkkaRow("Wire, known types", new Wire.Akka.WireSerializer(extended, known)),
    Akka16Row("Wire", new akka16::Wire.Akka16.WireSerializer(extended, options)),
    OrleansRow<AttributedEvent>("own codec, attributes", AttributedSample.Create(), _ => { }),
    OrleansRow<OrderEvent>("Wire", order, builder => builder.AddWireSerializer(options, typeof(OrderEvent))),
    OrleansRow<OrderEvent>("Wire, known types", order, builder => builder.AddWireSerializer(known, typeof(OrderEvent))),
    CopyRow<AttributedEvent>("own copier, attributes", AttributedSample.Create(), _ => { }),
    CopyRow<OrderEvent>("Wire", order, builder => builder.AddWireSerializer(options, typeof(OrderEvent))),
    ProtoRow("System.Text.Json, the default", RemoteConfig.BindToLocalhost()),
    ProtoRow("Wire", RemoteConfig.BindToLocalhost().WithWireSerializer(options, typeof(OrderEvent))),
    ProtoRow("Wire, known types", RemoteConfig.BindToLocalhost().WithWireSerializer(known, typeof(OrderEvent))),
];

string expected = JsonSerializer.Serialize<object>(order);
foreach (Contender contender in contenders)
{
    if (JsonSerializer.Serialize(contender.Value) != expected)
    {
        throw new InvalidOperationException($"{contender.Framework}, {contender.Name}: what comes back is another message.");
    }
}

for (int round = -WarmUp; round < Rounds; round++)
{
    foreach (Contender contender in contenders)
    {
        contender.Run(round >= 0);
    }
}

Console.WriteLine($".NET {Environment.Version}, {Rounds} interleaved rounds, medians");
Console.WriteLine("| framework | serializer | bytes | write, ns | read, ns | both, ns | of the first's time | allocated, bytes |");
Console.WriteLine("|---|---|---|---|---|---|---|---|");
foreach (IGrouping<string, Contender> group in contenders.GroupBy(contender => contender.Framework))
{
    double first = group.First().Write + group.First().Read;
    foreach (Contender row in group)
    {
        string costs = row.Bytes == 0 ? $"| | | {row.Read:0}" : $"{row.Bytes} | {row.Write:0} | {row.Read:0} | {row.Write + row.Read:0}";
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {row.Framework} | {row.Name} | {costs} | {(row.Write + row.Read) / first:0.000} | {row.Allocated} |"));
    }
}

Contender AkkaRow(string name, Akka.Serialization.Serializer serializer)
{
    byte[] bytes = serializer.ToBinary(order);
    string manifest = Akka.Serialization.Serialization.ManifestFor(serializer, order);
    return new Contender(
        "Akka 1.5",
        name,
        bytes.Length + Encoding.UTF8.GetByteCount(manifest),
        () => bytes = serializer.ToBinary(order),
        () => serializer is SerializerWithStringManifest named ? named.FromBinary(bytes, manifest) : serializer.FromBinary(bytes, null));
}

Contender Akka16Row(string name, SerializerV2 serializer)
{
    var writer = new ArrayBufferWriter<byte>();
    int size = serializer.Serialize(order, writer);
    return new Contender(
        "Akka 1.6",
        name,
        size,
        () =>
        {
            writer.ResetWrittenCount();
            serializer.Serialize(order, writer);
        },
        () => serializer.Deserialize(new(writer.WrittenMemory), ""));
}

Contender OrleansRow<T>(string name, T value, Action<ISerializerBuilder> configure)
    where T : class
{
    Serializer<T> serializer = Services(configure).GetRequiredService<OrleansSerializer>().GetSerializer<T>();
    var writer = new ArrayBufferWriter<byte>();
    serializer.Serialize(value, writer);
    return new Contender(
        "Orleans",
        name,
        writer.WrittenCount,
        () =>
        {
            writer.ResetWrittenCount();
            serializer.Serialize(value, writer);
        },
        () => serializer.Deserialize(writer.WrittenMemory)!);
}

// There are no bytes: a call inside a silo copies its arguments.
Contender CopyRow<T>(string name, T value, Action<ISerializerBuilder> configure)
    where T : class
{
    DeepCopier<T> copier = Services(configure).GetRequiredService<DeepCopier>().GetCopier<T>();
    return new Contender("Orleans, copy", name, 0, () => { }, () => copier.Copy(value)!);
}

Contender ProtoRow(string name, RemoteConfig config)
{
    (ByteString bytes, string type, int id) = config.Serialization.Serialize(order);
    return new Contender(
        "Proto.Actor",
        name,
        bytes.Length + Encoding.UTF8.GetByteCount(type),
        () => (bytes, type, id) = config.Serialization.Serialize(order),
        () => config.Serialization.Deserialize(type, bytes, id));
}

static ServiceProvider Services(Action<ISerializerBuilder> configure) =>
    new ServiceCollection().AddSerializer(configure).BuildServiceProvider();

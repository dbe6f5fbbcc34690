extern alias akka16;

using System.Buffers;
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
using OrleansSerializer = Orleans.Serialization.Serializer;

// Bytes and time of one polymorphic message through the serializers of actor frameworks.
OrderPlaced order = Sample.Create();
SerializerOptions options = MessageOptions.Plain;
SerializerOptions known = MessageOptions.Known;
using ActorSystem system = ActorSystem.Create("table", "akka.loglevel = OFF, akka.stdout-loglevel = OFF");
var extended = (ExtendedActorSystem)system;
Comparison.Print(
    order,
    AkkaRow("Newtonsoft.Json, the default", new NewtonSoftJsonSerializer(extended)),
    AkkaRow("Hyperion", new HyperionSerializer(extended)),
    AkkaRow("Wire", new Wire.Akka.WireSerializer(extended, options, typeof(OrderEvent))),
    AkkaRow("Wire, known types", new Wire.Akka.WireSerializer(extended, known, typeof(OrderEvent))),
    Akka16Row("Wire", new akka16::Wire.Akka16.WireSerializer(extended, options, typeof(OrderEvent))),
    OrleansRow<AttributedEvent>("own codec, attributes", AttributedSample.Create(), _ => { }),
    OrleansRow<OrderEvent>("Wire", order, builder => builder.AddWireSerializer(options, typeof(OrderEvent))),
    OrleansRow<OrderEvent>("Wire, known types", order, builder => builder.AddWireSerializer(known, typeof(OrderEvent))),
    CopyRow<AttributedEvent>("own copier, attributes", AttributedSample.Create(), _ => { }),
    CopyRow<OrderEvent>("Wire", order, builder => builder.AddWireSerializer(options, typeof(OrderEvent))),
    ProtoRow("System.Text.Json, the default", RemoteConfig.BindToLocalhost()),
    ProtoRow("Wire", RemoteConfig.BindToLocalhost().WithWireSerializer(options, typeof(OrderEvent))),
    ProtoRow("Wire, known types", RemoteConfig.BindToLocalhost().WithWireSerializer(known, typeof(OrderEvent))));

Candidate AkkaRow(string name, Akka.Serialization.Serializer serializer)
{
    byte[] bytes = serializer.ToBinary(order);
    string manifest = Akka.Serialization.Serialization.ManifestFor(serializer, order);
    int beside = Encoding.UTF8.GetByteCount(manifest);
    return new Candidate(
        "Akka 1.5",
        name,
        () =>
        {
            bytes = serializer.ToBinary(order);
            return bytes.Length + beside;
        },
        () => serializer is SerializerWithStringManifest named ? named.FromBinary(bytes, manifest) : serializer.FromBinary(bytes, null));
}

Candidate Akka16Row(string name, SerializerV2 serializer)
{
    var writer = new ArrayBufferWriter<byte>();
    return new Candidate(
        "Akka 1.6",
        name,
        () =>
        {
            writer.ResetWrittenCount();
            return serializer.Serialize(order, writer);
        },
        () => serializer.Deserialize(new(writer.WrittenMemory), ""));
}

Candidate OrleansRow<T>(string name, T value, Action<ISerializerBuilder> configure)
    where T : class
{
    Serializer<T> serializer = Services(configure).GetRequiredService<OrleansSerializer>().GetSerializer<T>();
    var writer = new ArrayBufferWriter<byte>();
    return new Candidate(
        "Orleans",
        name,
        () =>
        {
            writer.ResetWrittenCount();
            serializer.Serialize(value, writer);
            return writer.WrittenCount;
        },
        () => serializer.Deserialize(writer.WrittenMemory)!);
}

// There are no bytes: a call inside a silo copies its arguments.
Candidate CopyRow<T>(string name, T value, Action<ISerializerBuilder> configure)
    where T : class
{
    DeepCopier<T> copier = Services(configure).GetRequiredService<DeepCopier>().GetCopier<T>();
    return new Candidate("Orleans, copy", name, () => 0, () => copier.Copy(value)!);
}

Candidate ProtoRow(string name, RemoteConfig config)
{
    (ByteString bytes, string type, int id) = config.Serialization.Serialize(order);
    int beside = Encoding.UTF8.GetByteCount(type);
    return new Candidate(
        "Proto.Actor",
        name,
        () =>
        {
            (bytes, type, id) = config.Serialization.Serialize(order);
            return bytes.Length + beside;
        },
        () => config.Serialization.Deserialize(type, bytes, id));
}

static ServiceProvider Services(Action<ISerializerBuilder> configure) =>
    new ServiceCollection().AddSerializer(configure).BuildServiceProvider();

using Rebus.Activation;
using Rebus.Config;
using Rebus.Messages;
using Rebus.Serialization;
using Rebus.Transport.InMem;
using Wire.Rebus;

namespace Wire.Benchmarks.Integrations;

/// <summary>The serializers of Rebus, as a bus has them.</summary>
internal sealed class RebusTrip(ISerializer serializer) : RoundTrip
{
    public override int Size => Write().Body.Length;

    public static RoundTrip Json() => new RebusTrip(Configured(_ => { }));

    public static RoundTrip Wire() => new RebusTrip(Configured(serialization => serialization.UseWire(Options)));

    public override OrderPlaced Run() => (OrderPlaced)serializer.Deserialize(Write()).Result.Body;

    private TransportMessage Write() => serializer.Serialize(new Message([], Message)).Result;

    private static ISerializer Configured(Action<StandardConfigurer<ISerializer>> configure)
    {
        ISerializer? found = null;
        using var activator = new BuiltinHandlerActivator();
        Configure.With(activator)
            .Logging(log => log.None())
            .Transport(transport => transport.UseInMemoryTransportAsOneWayClient(new InMemNetwork()))
            .Serialization(configure)
            .Serialization(serialization => serialization.Decorate(context => found = context.Get<ISerializer>()))
            .Start();
        return found!;
    }
}

using Rebus.Activation;
using Rebus.Config;
using Rebus.Messages;
using Rebus.Serialization;
using Rebus.Transport.InMem;
using Wire.Rebus;

namespace Wire.Benchmarks.Integrations;

/// <summary>The serializers of Rebus, as a bus has them.</summary>
internal static class RebusSerializers
{
    public static IEnumerable<Candidate> All(OrderPlaced message)
    {
        yield return New("the default", message, _ => { });
        yield return New("Wire", message, serialization => serialization.UseWire(MessageOptions.Plain));
        yield return New("Wire, known types", message, serialization => serialization.UseWire(MessageOptions.Known));
    }

    private static Candidate New(string name, OrderPlaced message, Action<StandardConfigurer<ISerializer>> configure)
    {
        ISerializer serializer = Configured(configure);
        TransportMessage? written = null;
        return new(
            "Rebus",
            name,
            () =>
            {
                written = serializer.Serialize(new Message([], message)).Result;
                return written.Body.Length;
            },
            () => serializer.Deserialize(written!).Result.Body);
    }

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

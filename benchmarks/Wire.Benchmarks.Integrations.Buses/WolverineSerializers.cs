using Wire.Wolverine;
using Wolverine;
using Wolverine.Runtime.Serialization;

namespace Wire.Benchmarks.Integrations;

/// <summary>The serializers of Wolverine.</summary>
internal static class WolverineSerializers
{
    public static IEnumerable<Candidate> All(OrderPlaced message)
    {
        yield return New(
            "System.Text.Json, the default", message, new SystemTextJsonSerializer(SystemTextJsonSerializer.DefaultOptions()));
        yield return New("Wire", message, new WireMessageSerializer(MessageOptions.Plain));
        yield return New("Wire, known types", message, new WireMessageSerializer(MessageOptions.Known));
    }

    private static Candidate New(string name, OrderPlaced message, IMessageSerializer serializer)
    {
        byte[] body = [];
        return new(
            "Wolverine",
            name,
            () =>
            {
                body = serializer.Write(new Envelope(message));
                return body.Length;
            },
            () => serializer.ReadFromData(typeof(OrderPlaced), new Envelope { Data = body }));
    }
}

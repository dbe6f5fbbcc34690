using Wire.Wolverine;
using Wolverine;
using Wolverine.Runtime.Serialization;

namespace Wire.Benchmarks.Integrations;

/// <summary>The serializers of Wolverine.</summary>
internal sealed class WolverineTrip(IMessageSerializer serializer) : RoundTrip
{
    public override int Size => serializer.Write(new Envelope(Message)).Length;

    public static RoundTrip Json() => new WolverineTrip(new SystemTextJsonSerializer(SystemTextJsonSerializer.DefaultOptions()));

    public static RoundTrip Wire() => new WolverineTrip(new WireMessageSerializer(Options));

    public override OrderPlaced Run() => (OrderPlaced)serializer.ReadFromData(
        typeof(OrderPlaced), new Envelope { Data = serializer.Write(new Envelope(Message)) });
}

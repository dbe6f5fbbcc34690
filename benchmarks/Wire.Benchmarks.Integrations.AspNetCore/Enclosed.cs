namespace Wire.Benchmarks.Integrations;

/// <summary>The parameter of a hub method, whose member is of the base class.</summary>
/// <remarks>
/// SignalR tells protocols the type of an argument's object and not that of the parameter, so that neither JSON nor MessagePack writes
/// which class it is where the parameter itself is of a base class. Wire does either way.
/// </remarks>
public sealed class Enclosed
{
    public OrderEvent? Event { get; set; }
}

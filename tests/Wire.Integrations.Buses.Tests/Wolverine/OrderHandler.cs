namespace Wire.Integrations.Buses.Tests.Wolverine;

/// <summary>The handlers of the receiving host. Wolverine makes code that calls them, with a service of the host.</summary>
public static class OrderHandler
{
    public static Task Handle(OrderPlaced order, Received received) => received.Orders.Add(order);

    public static Task Handle(Parcel parcel, Received received) => received.Parcels.Add(parcel);
}

/// <summary>What the handlers got.</summary>
public sealed class Received
{
    internal Inbox<OrderEvent> Orders { get; } = new();

    internal Inbox<Parcel> Parcels { get; } = new();
}

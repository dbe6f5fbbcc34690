#region messages
using Wire;

namespace Shop;

[WireName("Shop.Message")]
public abstract record Message(Guid Id);
[WireName("Shop.OrderPlaced")]
public sealed record OrderPlaced(Guid Id, string Customer, decimal Total) : Message(Id);
[WireName("Shop.OrderShipped")]
public sealed record OrderShipped(Guid Id, DateTime ShippedAt, int Parcels) : Message(Id);
#endregion

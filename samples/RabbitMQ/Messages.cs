using Wire;

namespace Shop;

#region messages
public abstract record ShopMessage(Guid Id);
public record OrderPlaced(Guid Id, string Customer, decimal Total) : ShopMessage(Id);
public sealed record GiftPlaced(Guid Id, string Customer, decimal Total, string Card) : OrderPlaced(Id, Customer, Total);
public sealed record OrderShipped(Guid Id, DateTime ShippedAt, int Parcels) : ShopMessage(Id);
#endregion

#region requests
public sealed record Quote(string Article, int Pieces);
public sealed record Price(decimal Amount, string Currency);
#endregion

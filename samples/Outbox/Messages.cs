namespace Shop;

#region messages
public abstract record ShopMessage(int Number);
public sealed record OrderPlaced(int Number, string Customer) : ShopMessage(Number);
public sealed record OrderBilled(int Number) : ShopMessage(Number);
#endregion

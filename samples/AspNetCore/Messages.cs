namespace Shop;

#region messages
public abstract record Message(int Id);
public sealed record OrderPlaced(int Id, string Customer, decimal Total) : Message(Id);
public sealed record OrderShipped(int Id, int Parcels) : Message(Id);
#endregion

namespace Amqp;

#region Messages of the AMQP sample

public abstract record Message(Guid Id);
public sealed record OrderPlaced(Guid Id, string Customer, decimal Total) : Message(Id);
public sealed record OrderShipped(Guid Id, DateTime ShippedAt, int Parcels) : Message(Id);

#endregion

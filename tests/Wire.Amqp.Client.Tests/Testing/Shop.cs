namespace Wire.Amqp.Client.Tests.Testing;

/// <summary>The messages of the tests.</summary>
public abstract record Message(Guid Id);

/// <summary>One kind of message.</summary>
public record OrderPlaced(Guid Id, string Customer, decimal Total) : Message(Id);

/// <summary>A kind of that kind.</summary>
public sealed record GiftPlaced(Guid Id, string Customer, decimal Total, string Card) : OrderPlaced(Id, Customer, Total);

/// <summary>A kind that no filter of the tests allows.</summary>
public sealed record Stranger(string Name);

namespace Wire.RabbitMQ.Tests;

/// <summary>The messages of the tests.</summary>
public abstract record Message(Guid Id);

/// <summary>One kind of message.</summary>
public record OrderPlaced(Guid Id, string Customer, decimal Total) : Message(Id);

/// <summary>A kind of that kind.</summary>
public sealed record GiftPlaced(Guid Id, string Customer, decimal Total, string Card) : OrderPlaced(Id, Customer, Total);

/// <summary>Another kind, of any size.</summary>
public sealed record Parcels(Guid Id, byte[] Label) : Message(Id)
{
    public bool Equals(Parcels? other) => other is not null && Id == other.Id && Label.AsSpan().SequenceEqual(other.Label);

    public override int GetHashCode() => Id.GetHashCode();
}

/// <summary>A kind that no filter of the tests allows.</summary>
public sealed record Stranger(string Name);

/// <summary>What the tests serialize with.</summary>
internal static class Shop
{
    public static WireBodySerializer Serializer { get; } =
        new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>() });
}

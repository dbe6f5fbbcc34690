namespace Wire.RabbitMQ.Outbox.Tests;

/// <summary>The messages of the tests.</summary>
public abstract record ShopMessage(int Number);

public record OrderPlaced(int Number, string Customer) : ShopMessage(Number);

public sealed record OrderBilled(int Number) : ShopMessage(Number);

internal static class Shop
{
    public static WireBodySerializer Serializer { get; } = new(new SerializerOptions
    {
        TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ShopMessage>(),
    });

    public static WirePublisher PublishOn(WireConnection connection) => new(connection, Serializer);
}

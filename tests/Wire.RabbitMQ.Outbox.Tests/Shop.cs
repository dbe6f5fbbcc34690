namespace Wire.RabbitMQ.Outbox.Tests;

/// <summary>The messages of the tests.</summary>
public abstract record ShopMessage(int Number);

public record OrderPlaced(int Number, string Customer) : ShopMessage(Number);

public sealed record OrderBilled(int Number) : ShopMessage(Number);

internal static class Shop
{
    public static JsonBodyFormat Json { get; } = new JsonBodyFormat().Allow(typeof(OrderPlaced));

    public static WireBodySerializer Serializer { get; } = new WireBodySerializer(new SerializerOptions
    {
        TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ShopMessage>(),
    }).Reading(Json);

    public static WirePublisher PublishOn(WireConnection connection) => new(connection, Serializer);
}

using System.Text.Json.Serialization;

namespace Bookshop;

#region messages
public abstract record ShopEvent(Guid OrderId);
public sealed record OrderPlaced(Guid OrderId, string Customer, decimal Total) : ShopEvent(OrderId);
public sealed record OrderShipped(Guid OrderId, int Parcels) : ShopEvent(OrderId);
public sealed record SendInvoice(Guid OrderId, decimal Total); // a command
public sealed record PriceOf(string Title); // a request
public sealed record Price(decimal Amount, string Currency); // its reply
#endregion

/// <summary>What the web shop sends as JSON.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(OrderPlaced))]
internal sealed partial class ShopJson : JsonSerializerContext;

using Wire;

namespace Versions.Release3;

#region release 3
public abstract record Message(int Number);

[WireName("Shop.OrderPlaced")]
public sealed record OrderPlaced(
    int Number,
    [property: WireName("Customer")] string Buyer, // renamed: the name in payloads stays
    decimal Total,
    State State,
    OrderLine[] Lines) : Message(Number); // Note is removed

[WireName("Shop.OrderCancelled")]
public sealed record OrderCancelled(int Number, string Reason) : Message(Number);

[WireName("Shop.Line")]
public record OrderLine(string Article, int Pieces); // renamed: the name in payloads stays

public enum State { Unknown, Open, Paid, Shipped }
#endregion

internal sealed class Release() : Release<Message>(
    TypeAliases.None.Alias<OrderPlaced>("Shop.OrderPlaced").Alias<OrderCancelled>("Shop.OrderCancelled"),
    new OrderPlaced(7, "Ada", 19.90m, State.Paid, [new("pencil", 12)]),
    new OrderCancelled(7, "too late"))
{
    protected override string Text(Message message) => message switch
    {
        OrderPlaced order => $"{order.Number}, {order.Buyer}, {order.Total}, {order.State}, " +
            $"{order.Lines[0].Pieces} x {order.Lines[0].Article}",
        OrderCancelled cancelled => $"{cancelled.Number}, {cancelled.Reason}",
        _ => throw new NotSupportedException(),
    };
}

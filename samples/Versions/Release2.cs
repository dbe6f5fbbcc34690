using Wire;

namespace Versions.Release2;

#region release 2
public abstract record Message(int Number);

[WireName("Shop.OrderPlaced")]
public sealed record OrderPlaced(int Number, string Customer, decimal Total, State State, Line[] Lines) : Message(Number)
{
    public string? Note { get; init; } // added
}

[WireName("Shop.OrderCancelled")]
public sealed record OrderCancelled(int Number, string Reason) : Message(Number); // added

[WireName("Shop.Line")]
public record Line(string Article, int Pieces);

public enum State { Unknown, Open, Paid, Shipped } // Shipped is added, at the end
#endregion

internal sealed class Release() : Release<Message>(
    TypeAliases.None.Alias<OrderPlaced>("Shop.OrderPlaced").Alias<OrderCancelled>("Shop.OrderCancelled").Alias<Line>("Shop.Line"),
    new OrderPlaced(7, "Ada", 19.90m, State.Shipped, [new("pencil", 12)]) { Note = "a gift" },
    new OrderCancelled(7, "too late"))
{
    protected override string Text(Message message) => message switch
    {
        OrderPlaced order => $"{order.Number}, {order.Customer}, {order.Total}, {order.State}, " +
            $"{order.Lines[0].Pieces} x {order.Lines[0].Article}, {order.Note ?? "null"}",
        OrderCancelled cancelled => $"{cancelled.Number}, {cancelled.Reason}",
        _ => throw new NotSupportedException(),
    };
}

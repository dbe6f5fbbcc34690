using Wire;

namespace Versions.Release1;

#region release 1
public abstract record Message(int Number);

[WireName("Shop.OrderPlaced")]
public sealed record OrderPlaced(int Number, string Customer, decimal Total, State State, Line[] Lines) : Message(Number);

[WireName("Shop.Line")]
public record Line(string Article, int Pieces);

public enum State { Unknown, Open, Paid }
#endregion

internal sealed class Release() : Release<Message>(
    TypeAliases.None.Alias<OrderPlaced>("Shop.OrderPlaced").Alias<Line>("Shop.Line"),
    new OrderPlaced(7, "Ada", 19.90m, State.Paid, [new("pencil", 12)]))
{
    protected override string Text(Message message) => message switch
    {
        OrderPlaced order => $"{order.Number}, {order.Customer}, {order.Total}, {order.State}, " +
            $"{order.Lines[0].Pieces} x {order.Lines[0].Article}",
        _ => throw new NotSupportedException(),
    };
}

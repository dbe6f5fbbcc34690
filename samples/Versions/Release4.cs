using Wire;

namespace Versions.Release4;

#region release 4
public abstract record Message(long Number); // widened

[WireName("Shop.OrderPlaced")]
public sealed record OrderPlaced(
    long Number,
    [property: WireName("Customer")] string Buyer,
    decimal Total,
    State State,
    OrderLine[] Lines) : Message(Number)
{
    private readonly string? _currency; // added: null in older messages

    public string Currency { get => _currency ?? "EUR"; init => _currency = value; }
}

[WireName("Shop.OrderCancelled")]
public sealed record OrderCancelled(
    long Number,
    string Reason, // stays for older messages
    CancelReason Code) : Message(Number); // added, in place of Reason

public record OrderLine(string Article, int Pieces); // has given up its name

public enum State { Unknown, Open, Paid, Shipped }
public enum CancelReason { Unknown, TooLate, OutOfStock }
#endregion

internal sealed class Release() : Release<Message>(
    Names,
    new OrderPlaced(7_000_000_000, "Ada", 19.90m, State.Paid, [new("pencil", 12)]) { Currency = "USD" },
    new OrderCancelled(7_000_000_000, "", CancelReason.TooLate))
{
    private static TypeAliases Names
    {
        get
        {
            #region redirect
            TypeAliases names = TypeAliases.None.Redirect("Shop.Line", typeof(OrderLine)); // read by its old name
            #endregion

            return names
                .Alias<OrderPlaced>("Shop.OrderPlaced").Alias<OrderCancelled>("Shop.OrderCancelled").Alias<OrderLine>("Shop.OrderLine");
        }
    }

    protected override string Text(Message message) => message switch
    {
        OrderPlaced order => $"{order.Number}, {order.Buyer}, {order.Total}, {order.State}, " +
            $"{order.Lines[0].Pieces} x {order.Lines[0].Article}, {order.Currency}",
        OrderCancelled cancelled => $"{cancelled.Number}, '{cancelled.Reason}', {cancelled.Code}",
        _ => throw new NotSupportedException(),
    };
}

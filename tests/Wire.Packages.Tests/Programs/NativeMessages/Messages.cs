namespace Shop;

// Partial for what a serializer beside Wire wants to be told.
public partial interface IMessage;

public readonly record struct Money(decimal Amount, string Currency);

public enum State { New, Paid, Shipped }

public abstract record Message(Guid Id, DateTime At) : IMessage;

public record OrderPlaced(Guid Id, DateTime At, string Customer, List<Line> Lines) : Message(Id, At);

public record Line(string Item, int Count, Money Price);

public record OrderPaid(Guid Id, DateTime At, Money Amount) : Message(Id, At);

public record OrderShipped(Guid Id, DateTime At, Address To, string? Carrier) : Message(Id, At);

public record Address(string Street, string City, string Zip);

public record OrderCancelled(Guid Id, DateTime At, string Reason) : Message(Id, At);

public record StateChanged(Guid Id, DateTime At, State From, State To) : Message(Id, At);

public record CustomerCreated(Guid Id, DateTime At, string Name, string Email, DateOnly Born) : Message(Id, At);

public record CustomerMoved(Guid Id, DateTime At, Address From, Address To) : Message(Id, At);

public record StockChanged(Guid Id, DateTime At, Dictionary<string, int> Items) : Message(Id, At);

public record PriceChanged(Guid Id, DateTime At, string Item, Money Old, Money New) : Message(Id, At);

public record Reminder(Guid Id, DateTime At, TimeSpan After, string Text) : Message(Id, At);

public record Tagged(Guid Id, DateTime At, HashSet<int> Tags) : Message(Id, At);

public record Batch(Guid Id, DateTime At, IMessage[] Messages) : Message(Id, At);

public record Raw(Guid Id, DateTime At, byte[] Data) : Message(Id, At);

public record Flags(Guid Id, DateTime At, bool A, bool? B, int? C, double D, float E, long F) : Message(Id, At);

public record Failed(Guid Id, DateTime At, string Error, string[] Trace) : Message(Id, At);

public record Anything(Guid Id, DateTime At, object Value, object?[] Values) : Message(Id, At);

public class Cart : IMessage
{
    private readonly List<Line> _lines = [];

    public Guid Owner { get; init; }

    public void Add(Line line) => _lines.Add(line);
}

public class Node : IMessage
{
    public string? Name;
    public Node? Left;
    public Node? Right;
}

public record Carts(Guid Id, DateTime At, Dictionary<Guid, Cart> ByOwner) : Message(Id, At);

public record Ping(Guid Id, DateTime At) : Message(Id, At);

internal static class Examples
{
    public static IMessage[] All()
    {
        var id = new Guid("0123456789abcdef0123456789abcdef");
        var at = new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc);
        var cart = new Cart { Owner = id };
        cart.Add(new Line("tea", 2, new Money(1.5m, "EUR")));
        var address = new Address("Main", "Berlin", "10115");
        return
        [
            new OrderPlaced(id, at, "Ada", [new Line("tea", 2, new Money(1.5m, "EUR")), new Line("milk", 1, new Money(0.9m, "EUR"))]),
            new OrderPaid(id, at, new Money(3.9m, "EUR")),
            new OrderShipped(id, at, address, null),
            new OrderCancelled(id, at, "late"),
            new StateChanged(id, at, State.New, State.Paid),
            new CustomerCreated(id, at, "Ada", "ada@example.org", new DateOnly(1815, 12, 10)),
            new CustomerMoved(id, at, address, address with { City = "Bonn" }),
            new StockChanged(id, at, new() { ["tea"] = 3, ["milk"] = 0 }),
            new PriceChanged(id, at, "tea", new Money(1, "EUR"), new Money(2, "EUR")),
            new Reminder(id, at, TimeSpan.FromHours(2), "call"),
            new Tagged(id, at, [1, 2, 3]),
            new Batch(id, at, [new Ping(id, at), cart]),
            new Raw(id, at, [1, 2, 3]),
            new Flags(id, at, true, null, 3, 1.5, 2.5f, long.MaxValue),
            new Failed(id, at, "no", ["a", "b"]),
            new Anything(id, at, 17, [1, "two", 3.0, null]),
            cart,
            new Node { Name = "root", Left = new Node { Name = "left" } },
            new Carts(id, at, new() { [id] = cart }),
            new Ping(id, at),
        ];
    }
}

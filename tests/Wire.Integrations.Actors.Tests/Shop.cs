namespace Wire.Integrations.Actors.Tests;

/// <summary>The messages: a base class with members of base classes, of interfaces and of object, shared and in a circle.</summary>
public abstract class ShopMessage
{
    public Guid Id { get; set; }
}

public sealed class OrderPlaced : ShopMessage
{
    public string Customer { get; set; } = "";

    public Payment? Payment { get; set; }

    public IDiscount? Discount { get; set; }

    public List<OrderLine> Lines { get; set; } = [];

    public OrderLine? Cheapest { get; set; }

    public object[] Notes { get; set; } = [];

    public OrderPlaced? Replaces { get; set; }
}

public sealed class OrderCancelled : ShopMessage
{
    public string Reason { get; set; } = "";
}

public sealed record OrderLine(string Sku, int Quantity, decimal Price);

public abstract class Payment
{
    public decimal Amount { get; set; }
}

public sealed class CardPayment : Payment
{
    public string LastDigits { get; set; } = "";
}

public interface IDiscount;

public readonly record struct Percent(byte Value) : IDiscount;

/// <summary>A type that a program has and no reader allows, except as what a variable may hold.</summary>
public sealed class Intruder
{
    public string Text { get; set; } = "";
}

/// <summary>A message whose member can be anything.</summary>
public sealed class Parcel : ShopMessage
{
    public object? Content { get; set; }
}

/// <summary>A message with a member that nothing can write.</summary>
public sealed class Unwritable : ShopMessage
{
    public Thread Thread { get; } = Thread.CurrentThread;
}

public static class Shop
{
    /// <summary>The options of both ends: what is shared stays shared, and the types behind members of an interface are named.</summary>
    public static SerializerOptions Options { get; } = new()
    {
        PreserveObjectReferences = true,
        TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Payment>().Allow<Percent>().Allow<OrderLine>(),
    };

    /// <summary>Makes a message with everything in it.</summary>
    public static OrderPlaced Order(string customer = "Ada")
    {
        var line = new OrderLine("CAB-07", 2, 9.90m);
        var order = new OrderPlaced
        {
            Id = new Guid("0f8fad5b-d9cb-469f-a165-70867728950e"),
            Customer = customer,
            Payment = new CardPayment { Amount = 69.79m, LastDigits = "4242" },
            Discount = new Percent(5),
            Lines = [new("KEY-101", 1, 49.99m), line, line],
            Cheapest = line,
            Notes = [1, 2L, 3.5, 'c', "text", true, new DateTime(2026, 11, 25, 10, 30, 0, DateTimeKind.Utc), line, new byte[] { 1, 2 }],
        };
        order.Replaces = order;
        return order;
    }
}

using System.Text.Json.Serialization;

namespace Wire.Benchmarks.Integrations;

/// <summary>The message of the tables: a derived class, with a member of a base class. The attributes are for System.Text.Json.</summary>
[JsonDerivedType(typeof(OrderPlaced), "placed")]
public abstract partial class OrderEvent
{
    public Guid OrderId { get; set; }

    public DateTimeOffset At { get; set; }
}

public sealed class OrderPlaced : OrderEvent
{
    public string Customer { get; set; } = "";

    public Payment? Payment { get; set; }

    public List<OrderLine> Lines { get; set; } = [];
}

public sealed class OrderLine
{
    public string Sku { get; set; } = "";

    public int Quantity { get; set; }

    public decimal Price { get; set; }
}

[JsonDerivedType(typeof(CardPayment), "card")]
[JsonDerivedType(typeof(TransferPayment), "transfer")]
public abstract partial class Payment
{
    public decimal Amount { get; set; }
}

public sealed class CardPayment : Payment
{
    public string LastDigits { get; set; } = "";
}

public sealed class TransferPayment : Payment
{
    public string Account { get; set; } = "";
}

public static class Sample
{
    public static OrderPlaced Create() => new()
    {
        OrderId = new Guid("0f8fad5b-d9cb-469f-a165-70867728950e"),
        At = new DateTimeOffset(2026, 11, 25, 10, 30, 0, TimeSpan.FromHours(1)),
        Customer = "Ada Lovelace",
        Payment = new CardPayment { Amount = 74.97m, LastDigits = "4242" },
        Lines =
        [
            new() { Sku = "KEY-101", Quantity = 1, Price = 49.99m },
            new() { Sku = "CAB-07", Quantity = 2, Price = 9.99m },
            new() { Sku = "PAD-3", Quantity = 1, Price = 5.00m },
        ],
    };
}

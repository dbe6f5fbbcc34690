using System.Text.Json.Serialization;
using Orleans;

namespace Wire.Benchmarks.Integrations.Attributed;

/// <summary>
/// The message of the table once more, with the attributes that Orleans' own codec needs; those of JSON are for the comparison of what
/// comes back.
/// </summary>
[JsonDerivedType(typeof(OrderPlaced), "placed")]
[GenerateSerializer]
public abstract class OrderEvent
{
    [Id(0)]
    public Guid OrderId { get; set; }

    [Id(1)]
    public DateTimeOffset At { get; set; }
}

[GenerateSerializer]
public sealed class OrderPlaced : OrderEvent
{
    [Id(0)]
    public string Customer { get; set; } = "";

    [Id(1)]
    public Payment? Payment { get; set; }

    [Id(2)]
    public List<OrderLine> Lines { get; set; } = [];
}

[GenerateSerializer]
public sealed class OrderLine
{
    [Id(0)]
    public string Sku { get; set; } = "";

    [Id(1)]
    public int Quantity { get; set; }

    [Id(2)]
    public decimal Price { get; set; }
}

[JsonDerivedType(typeof(CardPayment), "card")]
[GenerateSerializer]
public abstract class Payment
{
    [Id(0)]
    public decimal Amount { get; set; }
}

[GenerateSerializer]
public sealed class CardPayment : Payment
{
    [Id(0)]
    public string LastDigits { get; set; } = "";
}

public static class Sample
{
    /// <summary>Makes the same message.</summary>
    public static OrderPlaced Create()
    {
        Integrations.OrderPlaced order = Integrations.Sample.Create();
        var card = (Integrations.CardPayment)order.Payment!;
        return new()
        {
            OrderId = order.OrderId,
            At = order.At,
            Customer = order.Customer,
            Payment = new CardPayment { Amount = card.Amount, LastDigits = card.LastDigits },
            Lines = [.. order.Lines.Select(line => new OrderLine { Sku = line.Sku, Quantity = line.Quantity, Price = line.Price })],
        };
    }
}

namespace Wire.Integrations.Buses.Tests;

/// <summary>The messages of the tests.</summary>
public interface IOrderEvent
{
    Guid OrderId { get; set; }
}

public abstract class OrderEvent : IOrderEvent
{
    public Guid OrderId { get; set; }
}

public sealed class OrderPlaced : OrderEvent
{
    public string Customer { get; set; } = "";

    public Payment? Payment { get; set; }

    public IPackaging? Packaging { get; set; }

    public object?[] Notes { get; set; } = [];

    public Node? First { get; set; }

    public Node? Second { get; set; }
}

public abstract record Payment(decimal Amount);

public sealed record CardPayment(decimal Amount, string LastDigits) : Payment(Amount);

public interface IPackaging;

public sealed record Box(double Width) : IPackaging;

/// <summary>A part of a cycle.</summary>
public sealed class Node
{
    public string Name { get; set; } = "";

    public Node? Next { get; set; }
}

/// <summary>A message whose member no filter of the tests allows.</summary>
public sealed class Parcel
{
    public object? Content { get; set; }
}

public sealed record Stranger(string Name);

/// <summary>What the tests serialize with, and a sample.</summary>
internal static class Shop
{
    public static SerializerOptions Options { get; } = new()
    {
        PreserveObjectReferences = true,
        TypeFilter = WireTypeFilter.Default
            .AllowDerivedFrom<OrderEvent>()
            .AllowDerivedFrom<Payment>()
            .AllowDerivedFrom<IPackaging>()
            .Allow<Parcel>(),
    };

    public static OrderPlaced Order()
    {
        var node = new Node { Name = "first" };
        node.Next = new Node { Name = "second", Next = node };
        return new OrderPlaced
        {
            OrderId = new Guid("0f8fad5b-d9cb-469f-a165-70867728950e"),
            Customer = "Ada",
            Payment = new CardPayment(19.90m, "4242"),
            Packaging = new Box(0.1),
            Notes = [1, 2L, 3.5, 'x', "text", 1.10m, DateTimeKind.Utc, new CardPayment(1m, "1"), null],
            First = node,
            Second = node,
        };
    }
}

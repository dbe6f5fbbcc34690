namespace Wire.AspNetCore.Tests.Testing;

/// <summary>The messages of the tests: their base class is never written itself.</summary>
public abstract record ShopEvent(Guid Id);

/// <summary>One kind of message.</summary>
public record OrderPlaced(Guid Id, string Customer, decimal Total) : ShopEvent(Id);

/// <summary>A kind of that kind.</summary>
public sealed record GiftPlaced(Guid Id, string Customer, decimal Total, string Card) : OrderPlaced(Id, Customer, Total);

/// <summary>A kind that no filter of the tests allows: deriving from what hub methods and endpoints declare is not enough.</summary>
public sealed record Intruder(Guid Id, string Name) : ShopEvent(Id);

/// <summary>What members are declared as.</summary>
public interface IPrice
{
    decimal Amount { get; }
}

/// <summary>A struct behind an interface.</summary>
public readonly record struct NetPrice(decimal Amount) : IPrice;

/// <summary>A node of a ring.</summary>
public sealed class Node
{
    public string Name { get; set; } = "";

    public Node? Next { get; set; }
}

/// <summary>Everything that makes a message polymorphic.</summary>
public sealed class Basket
{
    public ShopEvent? Event { get; set; }

    public IPrice? Price { get; set; }

    public object? Anything { get; set; }

    public object?[] Mixed { get; set; } = [];

    public List<ShopEvent> Events { get; set; } = [];

    public Node? Ring { get; set; }

    public Node? SameNode { get; set; }
}

internal static class Shop
{
    /// <summary>Gets the options of both sides: what a payload may name is listed, and <see cref="Intruder"/> is not.</summary>
    public static SerializerOptions Options { get; } = new()
    {
        PreserveObjectReferences = true,
        TypeFilter = WireTypeFilter.Default.Allow<OrderPlaced>().Allow<GiftPlaced>().Allow<NetPrice>().Allow<Basket>(),
    };

    public static Serializer Serializer { get; } = new(Options);

    /// <summary>Gets a filter that allows nothing.</summary>
    public static Serializer Closed { get; } = new(new SerializerOptions { PreserveObjectReferences = true });

    public static OrderPlaced Order { get; } = new(new Guid("0f8fad5b-d9cb-469f-a165-70867728950e"), "Ada", 19.90m);

    public static GiftPlaced Gift { get; } = new(new Guid("7c9e6679-7425-40de-944b-e07fc1f90ae7"), "Grace", 5m, "All the best");

    public static Intruder Intruder { get; } = new(new Guid("f47ac10b-58cc-4372-a567-0e02b2c3d479"), "nobody");

    /// <summary>Gets a value that cannot be written.</summary>
    public static object Unwritable { get; } = () => 1;

    /// <summary>Makes a graph with base classes, interfaces, records, boxed values, a shared object and a ring.</summary>
    public static Basket NewBasket()
    {
        var first = new Node { Name = "first" };
        first.Next = new Node { Name = "second", Next = first };
        return new Basket
        {
            Event = Gift,
            Price = new NetPrice(12.5m),
            Anything = new Dictionary<string, object> { ["a"] = 1, ["b"] = "two" },
            Mixed = [1, 2L, (short)3, 4.5, 'x', "text", true, null, 7.25m, Guid.Empty, new DateOnly(2026, 11, 26), new byte[] { 1, 2 }],
            Events = [Order, Gift, Order],
            Ring = first,
            SameNode = first.Next,
        };
    }
}

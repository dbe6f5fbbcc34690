namespace Wire.Tool.Tests;

/// <summary>Orders of a shop, as they stand in the guide and on the page that it shows.</summary>
internal static class Shop
{
    private static readonly SerializerOptions Options = new()
    {
        PreserveObjectReferences = true,
        TypeAliases = TypeAliases.None
            .Alias<Customer>("Shop.Customer").Alias<Item>("Shop.Item").Alias<Order>("Shop.Order").Alias<CardPayment>("Shop.CardPayment")
            .Alias<Shipped>("Shop.Shipped").Alias<Parcel>("Shop.Parcel"),
    };

    internal enum State
    {
        Open,
        Paid,
        Shipped,
    }

    internal abstract record Payment(decimal Amount);

    internal sealed record CardPayment(decimal Amount, string Card, DateTimeOffset At) : Payment(Amount);

    internal sealed class Customer
    {
        public string Name { get; set; } = "";

        public string Mail { get; set; } = "";

        public Customer? ReferredBy { get; set; }
    }

    internal sealed class Item
    {
        public string Article { get; set; } = "";

        public int Quantity { get; set; }

        public decimal Price { get; set; }

        public string? Note { get; set; }
    }

    internal sealed class Order
    {
        public Guid Id { get; set; }

        public DateTimeOffset PlacedAt { get; set; }

        public State State { get; set; }

        public Customer? Customer { get; set; }

        public List<Item> Items { get; set; } = [];

        public Payment? Payment { get; set; }

        public Dictionary<string, int> Stock { get; set; } = [];

        public Customer? InvoiceTo { get; set; }

        public double[] Weights { get; set; } = [];

        public byte[] Label { get; set; } = [];
    }

    internal sealed record Parcel(string Number, double Kilograms);

    internal sealed record Shipped(Guid Order, List<Parcel> Parcels);

    /// <summary>Gets the serializer that writes them: with references, and names of a shop.</summary>
    public static Serializer Serializer { get; } = new(Options);

    /// <summary>Makes an order in which a customer occurs twice.</summary>
    public static Order NewOrder(int number = 1)
    {
        var grace = new Customer { Name = "Grace Hopper", Mail = "grace@example.com" };
        var ada = new Customer { Name = "Ada Lovelace", Mail = "ada@example.com", ReferredBy = grace };
        var placed = new DateTimeOffset(2026, 3, 14, 9, 26, 53, TimeSpan.FromHours(1));
        return new Order
        {
            Id = new Guid(number, 0x4b1d, 0x4f0e, 0x9a, 0x3c, 0x5e, 0x11, 0x77, 0x20, 0xc4, 0xd8),
            PlacedAt = placed,
            State = State.Paid,
            Customer = ada,
            Items =
            [
                new() { Article = "Difference engine, brass", Quantity = 1, Price = 1842.00m },
                new() { Article = "Punched cards, 500", Quantity = 4, Price = 7.25m, Note = "the thick ones" },
                new() { Article = "Nanosecond of wire, 30 cm", Quantity = 12, Price = 0.99m, Note = "gr\u00fcn, \u03a9" },
            ],
            Payment = new CardPayment(1882.88m, "4000 **** **** 0002", placed.AddMinutes(4)),
            Stock = { ["Difference engine, brass"] = 2, ["Punched cards, 500"] = 310, ["Nanosecond of wire, 30 cm"] = 4096 },
            InvoiceTo = ada,
            Weights = [41.5, 1.2, 0.018],
            Label = [.. Enumerable.Range(0, 96).Select(i => (byte)(i * i))],
        };
    }

    /// <summary>Makes what follows an order.</summary>
    public static Shipped NewShipped(int number) => new(
        NewOrder(number).Id, [new("00340434161094042557", 41.6), new($"003404341610940425{number:D2}", 2.4)]);

    /// <summary>Makes orders and what follows them.</summary>
    public static object[] NewMessages() => [.. Enumerable.Range(1, 6).SelectMany(i => new object[] { NewOrder(i), NewShipped(i) })];
}

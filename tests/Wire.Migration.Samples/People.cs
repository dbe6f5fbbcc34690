namespace Wire.Migration.Samples;

[Serializable]
public enum Level : byte
{
    Low = 1,
    High = 200,
}

[Serializable]
public readonly struct Money(decimal amount, string currency)
{
    private readonly decimal _amount = amount;

    public decimal Amount => _amount;

    public string Currency { get; } = currency;
}

[Serializable]
public class Person(string name)
{
    private readonly string _name = name;

    private int _count = 3;

    protected internal long Shared { get; set; } = 1L << 40;

    public string Name => _name;

    public int Count() => _count++;
}

/// <summary>A private field of the base class's name, nested and optional values, and references that lead back.</summary>
[Serializable]
public sealed class Customer(string name, Guid id) : Person(name)
{
    private readonly Guid _id = id;

    private int _count = 5;

    public Guid Id => _id;

    public Level Level { get; init; } = Level.High;

    public Money Limit { get; set; } = new(12.50m, "EUR");

    public Money? Bonus { get; set; } = new Money(1.0m, "USD");

    public Money? None { get; set; }

    public DateTime Since { get; set; } = new(2001, 2, 3, 4, 5, 6, DateTimeKind.Utc);

    public TimeSpan Open { get; set; } = TimeSpan.FromTicks(123_456_789);

    public List<Order> Orders { get; } = [];

    public object[] Bag { get; set; } = [];

    public IComparable Key { get; set; } = 17;

    [NonSerialized]
    private string? _leftOut;

    public string? LeftOut
    {
        get => _leftOut;
        set => _leftOut = value;
    }

    public int Both() => _count + Count();
}

[Serializable]
public sealed class Order
{
    public int Number { get; set; }

    public Customer? Owner { get; set; }

    public Order? Replaces { get; set; }

    public string[] Articles { get; set; } = [];

    public static Customer Graph()
    {
        var customer = new Customer("Ada", new Guid("00112233-4455-6677-8899-aabbccddeeff"));
        var first = new Order { Number = 1, Owner = customer, Articles = ["pen", null!, "pen"] };
        customer.Orders.Add(first);
        customer.Orders.Add(new Order { Number = 2, Owner = customer, Replaces = first });
        customer.Bag = [first, customer, 1, 2L, 'c', 1.5f, 2.5, true, "text", Level.Low, new Money(3m, "CHF"), new object(), DBNull.Value];
        return customer;
    }
}

[Serializable]
public sealed class Box<T>(T content)
{
    private readonly T _content = content;

    public T Content => _content;

    [Serializable]
    public sealed class Lid
    {
        public T? Under { get; set; }

        public Box<T>? Of { get; set; }
    }
}

[Serializable]
public sealed class Holder
{
    public Box<int>? Numbers { get; set; }

    public Box<Dictionary<string, Level>>? Levels { get; set; }

    public Box<string>.Lid? Lid { get; set; }

    public object? Anything { get; set; }
}

using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Globalization;
using System.Numerics;
using System.Text.Json.Serialization;
using Foreign;
using MemoryPack;
using MemoryPack.Formatters;
using Nerdbank.MessagePack;
using PolyType;
using Wire;

namespace Shop;

// Each class has the attributes by which a serializer can do more. MemoryPackAllowSerialize: without it MemoryPack does not compile
// the class; what it then does while the program runs is what the table says.

public enum Stage { New, Paid, Shipped }

public enum Level : byte { Low = 1, High = 200 }

[Flags]
public enum Days { None = 0, Sunday = 1, Monday = 2 }

[MemoryPackable]
public readonly partial record struct Money(decimal Amount, string Currency);

[MemoryPackable]
public sealed partial record Customer
{
    public required int Id { get; init; }

    public string? Name { get; init; }

    public string Country { get; init; } = "DE";

    public DateOnly Born { get; init; }
}

[MemoryPackable]
public sealed partial class Account
{
    [JsonInclude]
    [MemoryPackInclude]
    [PropertyShape]
    private int _balance;

    [JsonInclude]
    [MemoryPackInclude]
    [PropertyShape]
    private string? _last;

    public void Pay(int amount, string to) => (_balance, _last) = (_balance - amount, to);

    public override string ToString() => $"{_balance} {_last}";
}

// No classes of MemoryPack, which includes no private member of a base class: MEMPACK036.
public class Outer
{
    [JsonInclude]
    [PropertyShape(Name = "outer")]
    private int _value;

    protected void Set(int value) => _value = value;

    public override string ToString() => $"{_value}";
}

public sealed class Inner : Outer
{
    [JsonInclude]
    [PropertyShape]
    private int _value;

    public Inner With(int outer, int value)
    {
        Set(outer);
        _value = value;
        return this;
    }

    public override string ToString() => $"{base.ToString()} {_value}";
}

[MemoryPackable]
public sealed partial class Ticket
{
    [JsonConstructor]
    [MemoryPackConstructor]
    [ConstructorShape]
    private Ticket(string code) => Code = code;

    public string Code { get; }

    public static Ticket Issue(string code) => new(code);
}

[MemoryPackable]
public sealed partial class Seat(string row, int number)
{
    public string Row { get; } = row;

    public int Number { get; } = number;
}

[MemoryPackable]
public sealed partial class Entity
{
    [JsonInclude]
    [MemoryPackInclude]
    [PropertyShape]
    public Guid Id { get; } = Guid.NewGuid();

    public string? Name { get; set; }
}

[MemoryPackable]
public sealed partial class Log
{
    public List<IEvent> Events { get; set; } = [];
}

[MemoryPackable]
public sealed partial class Mixed
{
    [MemoryPackAllowSerialize]
    public object?[] Values { get; set; } = [];
}

// No class of MemoryPack, even with MemoryPackAllowSerialize: MEMPACK018.
public sealed class Anything
{
    public object? Value { get; set; }
}

[MemoryPackable]
[MemoryPackUnion(0, typeof(Car))]
[MemoryPackUnion(1, typeof(Truck))]
[DerivedTypeShape(typeof(Car))]
[DerivedTypeShape(typeof(Truck))]
[JsonDerivedType(typeof(Car), nameof(Car))]
[JsonDerivedType(typeof(Truck), nameof(Truck))]
public abstract partial class Vehicle
{
    public string? Plate { get; set; }
}

[MemoryPackable]
public sealed partial class Car : Vehicle
{
    public int Doors { get; set; }
}

[MemoryPackable]
public sealed partial class Truck : Vehicle
{
    public double Load { get; set; }
}

[MemoryPackable]
public sealed partial class Garage
{
    public Vehicle? Parked { get; set; }
}

// MemoryPackUnion is for interfaces and abstract classes only: MEMPACK021.
[MemoryPackable]
[DerivedTypeShape(typeof(Gift))]
[JsonDerivedType(typeof(Item), nameof(Item))]
[JsonDerivedType(typeof(Gift), nameof(Gift))]
public partial class Item
{
    public string? Name { get; set; }
}

[MemoryPackable]
public sealed partial class Gift : Item
{
    public string? From { get; set; }
}

[MemoryPackable]
public sealed partial class Shelf
{
    public List<Item> Items { get; set; } = [];
}

[MemoryPackable(GenerateType.CircularReference, SerializeLayout.Sequential)]
public sealed partial class Leaf
{
    public string? Name { get; set; }
}

[MemoryPackable(GenerateType.CircularReference, SerializeLayout.Sequential)]
public sealed partial class Twins
{
    public Leaf? Left { get; set; }

    public Leaf? Right { get; set; }
}

[MemoryPackable(GenerateType.CircularReference, SerializeLayout.Sequential)]
public sealed partial class Lists
{
    public List<int>? Left { get; set; }

    public List<int>? Right { get; set; }
}

[MemoryPackable(GenerateType.CircularReference, SerializeLayout.Sequential)]
public sealed partial class Node
{
    public string? Name { get; set; }

    public Node? Next { get; set; }
}

[MemoryPackable(GenerateType.CircularReference, SerializeLayout.Sequential)]
public sealed partial class Person
{
    public string? Name { get; set; }

    public Person? Boss { get; set; }

    public List<Person> Staff { get; set; } = [];
}

// The constructor is why MemoryPack has no CircularReference for it, MEMPACK033.
[MemoryPackable]
public sealed partial record Address(string Street, string City);

[MemoryPackable]
public sealed partial class Invoice
{
    public Address? To { get; set; }

    public Address? Payer { get; set; }
}

[MemoryPackable]
public sealed partial class Immutables
{
    public ImmutableArray<int> Array { get; set; } = [];

    public ImmutableList<string> List { get; set; } = [];

    public ImmutableDictionary<string, int> Dictionary { get; set; } = ImmutableDictionary<string, int>.Empty;

    public ImmutableHashSet<int> Set { get; set; } = [];
}

[MemoryPackable]
public sealed partial class Ignoring
{
    [IgnoreCase]
    [UseComparer(typeof(StringComparer), nameof(StringComparer.OrdinalIgnoreCase))]
    public ImmutableDictionary<string, int> Numbers { get; set; } =
        ImmutableDictionary.Create<string, int>(StringComparer.OrdinalIgnoreCase);
}

// MemoryPack has a formatter that takes a comparer, and none of its attributes names it.
public sealed class IgnoreCaseAttribute : MemoryPackCustomFormatterAttribute<ImmutableDictionary<string, int>>
{
    private static readonly ImmutableDictionaryFormatter<string, int> Formatter = new(StringComparer.OrdinalIgnoreCase, null);

    public override IMemoryPackFormatter<ImmutableDictionary<string, int>> GetFormatter() => Formatter!;
}

[MemoryPackable]
public sealed partial class Frozen
{
    public FrozenDictionary<string, int> Numbers { get; set; } = FrozenDictionary<string, int>.Empty;

    public FrozenSet<string> Names { get; set; } = FrozenSet<string>.Empty;
}

[MemoryPackable]
public sealed partial class Catalog
{
    [JsonObjectCreationHandling(JsonObjectCreationHandling.Populate)]
    [OrdinalIgnoreCaseStringDictionaryFormatter<int>]
    [UseComparer(typeof(StringComparer), nameof(StringComparer.OrdinalIgnoreCase))]
    public Dictionary<string, int> Numbers { get; set; } = new(StringComparer.OrdinalIgnoreCase);
}

[MemoryPackable]
public sealed partial class Indexes
{
    public Dictionary<string, int>? Exact { get; set; }

    public Dictionary<string, int>? Ignoring { get; set; }
}

[MemoryPackable]
public sealed partial class Sorted
{
    public Queue<int> Queue { get; set; } = new();

    public LinkedList<string> Linked { get; set; } = new();

    public SortedDictionary<int, string> Sorting { get; set; } = [];
}

[MemoryPackable]
public sealed partial class Ranked
{
    public SortedSet<string> Names { get; set; } = [];
}

[MemoryPackable]
public sealed partial class Maybe
{
    public int? Number { get; set; }

    public DateTime? At { get; set; }

    public Money? Price { get; set; }

    public Stage? Stage { get; set; }

    public List<int?> Numbers { get; set; } = [];
}

[MemoryPackable]
public sealed partial class Tuples
{
    public (int Number, string? Text, (double, bool) Inner) Value { get; set; }

    public Tuple<int, string>? Class { get; set; }

    public KeyValuePair<string, int> Pair { get; set; }
}

[MemoryPackable]
public sealed partial class Enums
{
    public Stage Stage { get; set; }

    public Level Level { get; set; }

    public Days Days { get; set; }

    public Dictionary<Stage, string> Texts { get; set; } = [];
}

[MemoryPackable]
public sealed partial class Shelves
{
    public Item[] Items { get; set; } = [];
}

[MemoryPackable]
public sealed partial class Bag
{
    [MemoryPackAllowSerialize]
    public Dictionary<string, object?> Values { get; set; } = [];
}

[MemoryPackable]
public sealed partial class Failure
{
    [MemoryPackAllowSerialize]
    public Exception? Error { get; set; }
}

[MemoryPackable]
public readonly partial struct Stock
{
    [JsonConstructor]
    [MemoryPackConstructor]
    public Stock(int count, Money price) => (Count, Price) = (count, price);

    public int Count { get; }

    public Money Price { get; }
}

[MemoryPackable]
public partial struct Counter
{
    [JsonInclude]
    [MemoryPackInclude]
    [PropertyShape]
    private int _count;

    public void Add() => _count++;

    public override readonly string ToString() => $"{_count}";
}

[MemoryPackable]
public sealed partial class Box<T>
{
    public T? Content { get; set; }
}

// Its implementations are named where the program starts, each serializer in its way; Wire needs none of that.
public interface IPlugin;

[MemoryPackable]
public sealed partial record Zip(int Level) : IPlugin;

[MemoryPackable]
public sealed partial record Crypt(string Key) : IPlugin;

[MemoryPackable]
public sealed partial class Plugins
{
    [MemoryPackAllowSerialize]
    public List<IPlugin> Items { get; set; } = [];
}

// What derives from it is not known to it, nor to who starts the program.
public interface IOpen;

[MemoryPackable]
public sealed partial record Unknown(int Id) : IOpen;

[MemoryPackable]
public sealed partial class Opens
{
    [MemoryPackAllowSerialize]
    public IOpen? Item { get; set; }
}

[MemoryPackable]
public sealed partial class Delivery
{
    [MemoryPackAllowSerialize]
    public Parcel? Parcel { get; set; }

    public Zone Zone { get; set; }
}

[MemoryPackable]
public sealed partial class Letter
{
    [MemoryPackAllowSerialize]
    public Sealed? Content { get; set; }
}

[MemoryPackable]
public sealed partial class Moments
{
    public DateTime Utc { get; set; }

    public DateTime Local { get; set; }

    public DateTime Unspecified { get; set; }

    public DateTimeOffset Offset { get; set; }

    public TimeOnly Time { get; set; }

    public TimeSpan Span { get; set; }
}

[MemoryPackable]
public sealed partial class Numbers
{
    public decimal Decimal { get; set; }

    public double NaN { get; set; }

    public double Zero { get; set; }

    public Half Half { get; set; }

    public Int128 Int128 { get; set; }

    public ulong Largest { get; set; }
}

[MemoryPackable]
public sealed partial class Big
{
    public BigInteger Value { get; set; }
}

[MemoryPackable]
public sealed partial class Platform
{
    public Uri? Uri { get; set; }

    public Version? Version { get; set; }

    public char Char { get; set; }
}

[MemoryPackable]
public sealed partial class Locale
{
    public CultureInfo? Culture { get; set; }
}

[MemoryPackable]
public sealed partial class Nulls
{
    public string?[] Texts { get; set; } = [];

    public List<Item?> Items { get; set; } = [];

    public Dictionary<string, Item?> ByName { get; set; } = [];

    public List<int>? None { get; set; } = [1];
}

[MemoryPackable]
public sealed partial class Prices
{
    public Dictionary<Money, string> Texts { get; set; } = [];
}

[MemoryPackable(GenerateType.Collection)]
public sealed partial class Basket : List<string>
{
    public string? Owner { get; set; }
}

[MemoryPackable]
public sealed partial class Order
{
    public Guid Id { get; set; }

    public string Number { get; set; } = "";

    public DateTime Created { get; set; }

    public DateTime? Paid { get; set; }

    public string Customer { get; set; } = "";

    public string Email { get; set; } = "";

    public string? Phone { get; set; }

    public string Street { get; set; } = "";

    public string City { get; set; } = "";

    public string Zip { get; set; } = "";

    public string Country { get; set; } = "";

    public string Currency { get; set; } = "";

    public decimal Net { get; set; }

    public decimal Tax { get; set; }

    public double Weight { get; set; }

    public int Priority { get; set; }

    public bool IsGift { get; set; }

    public Stage Stage { get; set; }

    public string? Note { get; set; }

    public List<Line> Lines { get; set; } = [];

    public static Order Example() => new()
    {
        Id = new Guid("0123456789abcdef0123456789abcdef"),
        Number = "A-2026-000817",
        Created = new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc),
        Paid = new DateTime(2026, 1, 3, 3, 4, 5, DateTimeKind.Utc),
        Customer = "Ada Lovelace",
        Email = "ada@example.org",
        Street = "St James's Square 12",
        City = "London",
        Zip = "SW1Y 4JH",
        Country = "GB",
        Currency = "GBP",
        Net = 1234.50m,
        Tax = 234.55m,
        Weight = 12.75,
        Priority = 3,
        IsGift = true,
        Stage = Stage.Paid,
        Lines = [.. Enumerable.Range(1, 10).Select(i => new Line { Article = $"article {i}", Count = i, Price = i * 1.25m, Sku = i })],
    };
}

[MemoryPackable]
public sealed partial class Line
{
    public string Article { get; set; } = "";

    public int Count { get; set; }

    public decimal Price { get; set; }

    public int Sku { get; set; }
}

// Other versions of a class: what the first of each pair has written is read as the second.

[MemoryPackable(GenerateType.VersionTolerant)]
public sealed partial class Old
{
    [MemoryPackOrder(0)]
    public int Id { get; set; }

    [MemoryPackOrder(1)]
    public string? Gone { get; set; }

    [MemoryPackOrder(2)]
    public List<Line>? Lines { get; set; }
}

[MemoryPackable(GenerateType.VersionTolerant)]
public sealed partial class Removed
{
    [MemoryPackOrder(0)]
    public int Id { get; set; }

    [MemoryPackOrder(2)]
    public List<Line>? Lines { get; set; }
}

[MemoryPackable(GenerateType.VersionTolerant)]
public sealed partial class Added
{
    [MemoryPackOrder(0)]
    public int Id { get; set; }

    [MemoryPackOrder(1)]
    public string? Gone { get; set; }

    [MemoryPackOrder(2)]
    public List<Line>? Lines { get; set; }

    [MemoryPackOrder(3)]
    public string? Text { get; set; }
}

[MemoryPackable(GenerateType.VersionTolerant)]
public sealed partial class Called
{
    [MemoryPackOrder(0)]
    public int Id { get; set; }

    [JsonPropertyName(nameof(Old.Gone))]
    [MemoryPackOrder(1)]
    [PropertyShape(Name = nameof(Old.Gone))]
    [WireName(nameof(Old.Gone))]
    public string? Text { get; set; }

    [MemoryPackOrder(2)]
    public List<Line>? Lines { get; set; }
}

[MemoryPackable(GenerateType.VersionTolerant)]
public sealed partial class Widened
{
    [MemoryPackOrder(0)]
    public long Id { get; set; }

    [MemoryPackOrder(1)]
    public string? Gone { get; set; }

    [MemoryPackOrder(2)]
    public List<Line>? Lines { get; set; }
}

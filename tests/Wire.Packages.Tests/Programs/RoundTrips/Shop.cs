using Wire;

namespace Shop;

internal interface IEvent;

internal enum State
{
    New,
    Paid,
    Shipped,
}

[Flags]
internal enum Days
{
    Sunday = 1,
    Monday = 2,
}

internal sealed record Placed(int Id, string Customer) : IEvent;

internal sealed record Shipped(int Id, int[] Parcels) : IEvent;

internal readonly record struct Money(decimal Amount, string Currency);

internal sealed class Order
{
    public string? Number { get; set; }

    public DateTime At { get; set; }

    public bool IsPaid { get; set; }

    public List<Line> Lines { get; set; } = [];

    public static Order Example() => new()
    {
        Number = "A-1",
        At = new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc),
        IsPaid = true,
        Lines = [new Line { Article = "pen", Price = 1.50m }, new Line { Article = "ink", Price = 3.20m }],
    };
}

internal sealed class Line
{
    public string? Article { get; set; }

    public decimal Price { get; set; }
}

internal abstract class Payment
{
    public decimal Amount { get; set; }
}

internal sealed class CardPayment : Payment
{
    public string? Card { get; set; }
}

internal sealed class Hidden(int number, string text)
{
    private readonly int _number = number;

    public string? Note { get; init; }

    public override string ToString() => $"{_number} {text} {Note}";
}

internal sealed class Unread
{
    public string? Text { get; set; }

    public int NeverRead { get; set; }
}

internal class Outer(int value)
{
    private readonly int _value = value;

    public override string ToString() => $"{_value}";
}

internal sealed class Inner(int outer, int value) : Outer(outer)
{
    private readonly int _value = value;

    public override string ToString() => $"{base.ToString()} {_value}";
}

internal sealed class Box<T>
{
    public T? Content { get; set; }
}

internal sealed class Basket : List<string>
{
    public string? Owner { get; set; }
}

internal sealed class Handle
{
    private Handle(string name) => Name = name;

    public string Name { get; }

    public static Handle Open(string name) => new(name);
}

internal sealed class Holder
{
    public Handle? Handle { get; set; }
}

internal sealed class Range<T>
{
    private Range(T low, T high) => (Low, High) = (low, high);

    public T Low { get; }

    public T High { get; }

    public static Range<T> Between(T low, T high) => new(low, high);
}

internal sealed class RangeData<T> : ISurrogate<RangeData<T>, Range<T>>
{
    public T? From { get; set; }

    public T? To { get; set; }

    static RangeData<T> ISurrogate<RangeData<T>, Range<T>>.From(Range<T> value) => new() { From = value.Low, To = value.High };

    Range<T> ISurrogate<RangeData<T>, Range<T>>.ToSource() => Range<T>.Between(From!, To!);
}

internal sealed class Node
{
    public string? Name { get; set; }

    public Node? Next { get; set; }
}

internal sealed class ShopException(string message, Exception inner) : Exception(message, inner)
{
    public int Code { get; init; }
}

internal sealed class Called
{
    public int Value { get; set; }

    [IgnoreMember]
    public string? State { get; private set; }

    [System.Runtime.Serialization.OnDeserialized]
    private void Finish(System.Runtime.Serialization.StreamingContext context) => State = "done";
}

internal sealed class Maybe
{
    public int? Number { get; set; }

    public State? State { get; set; }

    public Money? Price { get; set; }
}

internal readonly struct Stock(int count, Money price)
{
    private readonly int _count = count;

    public Money Price { get; } = price;

    public override string ToString() => $"{_count} {Price.Amount} {Price.Currency}";
}

internal readonly record struct Pair<T>(T Left, T Right);

internal sealed class Holder<T>(T value)
    where T : struct
{
    private readonly T _value = value;

    public T Value => _value;
}

internal enum Level : byte
{
    Low = 1,
    High = 200,
}

internal sealed class Old
{
    public int Id { get; set; }

    public string? Gone { get; set; }

    public List<Line>? Lines { get; set; }
}

internal sealed class New
{
    public long Id { get; set; }

    public List<Line>? Lines { get; set; }

    public string? Added { get; set; }
}

internal record struct OldPoint
{
    public int X;
    public int Y;
}

internal record struct NewPoint
{
    public int Y;
    public int X;
    public int Z;
}

internal sealed class Named
{
    [WireName("v")]
    public int Value { get; set; }

    [IgnoreMember]
    public int Left { get; set; }
}

internal sealed class GiftCard(string from) : CardPaymentBase
{
    public string From { get; } = from;
}

internal abstract class CardPaymentBase : Payment
{
    public string? Card { get; set; }
}

internal sealed class Nothing;

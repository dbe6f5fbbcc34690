using Microsoft.FSharp.Core;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>The types of the newest program, which has members and types that the one in the middle lacks.</summary>
public static class Newest
{
    [WireName("Unknown.Currency")]
    public sealed class Currency
    {
        public string? Code;
        public int Digits;
        public Currency? Parent;
    }

    // The same members as a Currency: behind manifests without a name, the two look alike.
    [WireName("Unknown.Unit")]
    public sealed class Unit
    {
        public string? Code;
        public int Digits;
        public Unit? Parent;
    }

    [WireName("Unknown.Line")]
    public class Line
    {
        public int Number;
        public string? Article;
        public Currency? Money;
        public double Weight;
        public object? Extra;
    }

    [WireName("Unknown.GiftLine")]
    public sealed class GiftLine : Line
    {
        public string? Wish;
        public List<string>? Wishes;
    }

    public struct Place
    {
        public double X;
        public string? Label;
        public object? Any;
        public List<Place>? Around;
    }

    [WireName("Unknown.Base")]
    public abstract class Base
    {
        public int Revision;
        public string? Author;
        public byte[]? Digest;
    }

    [WireName("Unknown.Order")]
    public sealed class Order : Base
    {
        public int Id;
        public string? Note;
        public List<Line?>? Lines;
        public Line? First;

        public bool Flag;
        public byte Level;
        public long Amount;
        public decimal Price;
        public string? Text;
        public string? WideText;
        public string? NullText;
        public int? Maybe;
        public int? Nothing;
        public Place At;
        public Place? MaybeAt;
        public Place[]? Places;
        public Currency? Money;
        public Unit? Measure;
        public object? Boxed;
        public object?[]? Mixed;
        public List<int>? Numbers;
        public List<Currency?>? Currencies;
        public Dictionary<string, Unit>? Units;
        public HashSet<string>? Tags;
        public int[,]? Grid;
        public Line[]? MoreLines;
        public Order? Related;
        public Uri? Link;
        public Version? Release;
        public Type? Kind;
        public System.Numerics.BigInteger Big;
        public DateTimeOffset When;
        public (int, string) Pair;
        public KeyValuePair<string, Currency?> Entry;
        public FSharpResult<int, string> Result;
        public object? Plain;

        public static Order Sample(int seed = 1) => new()
        {
            Revision = seed,
            Author = $"author {seed}",
            Digest = [1, 2, (byte)seed],
            Id = seed,
            Note = "note",
            Lines =
            [
                new Line { Number = 1, Article = "bolt", Money = new Currency { Code = "CHF" }, Weight = 1.5, Extra = seed },
                null,
                new Line { Number = 2 },
                new GiftLine { Number = 3, Article = "nut", Wish = "red", Wishes = ["a", "b"], Extra = new Unit { Code = "kg" } },
                new Line { Number = 4, Money = new Currency { Code = "EUR", Parent = new Currency { Code = "EU" } } },
            ],
            First = new Line { Number = 9, Weight = seed },
            Flag = true,
            Level = 200,
            Amount = 1L << 40,
            Price = 12.5m,
            Text = $"text {seed}",
            WideText = "\u4F60 \uD800",
            Maybe = 7,
            At = new Place { X = 1, Label = "here", Any = new Unit { Code = "m" }, Around = [new Place { Label = "near" }] },
            MaybeAt = new Place { X = 2 },
            Places = [default, new Place { Label = "far", Around = [default] }],
            Money = new Currency { Code = "USD", Digits = 2, Parent = new Currency { Code = "gold" } },
            Measure = new Unit { Code = "s", Digits = seed },
            Boxed = new Place { Label = "boxed" },
            Mixed = [null, 1, "two", 3.0, 'c', new Currency { Code = "JPY" }, new List<object> { 1, "x" }, new[] { 1, 2 }, new Unit()],
            Numbers = [1, 2, seed],
            Currencies = [new Currency { Code = "A" }, null, new Currency { Code = "B" }],
            Units = new() { ["a"] = new Unit { Code = "a" }, ["b"] = new Unit { Digits = 4 } },
            Tags = new(StringComparer.OrdinalIgnoreCase) { "x", "y" },
            Grid = new[,] { { 1, 2 }, { 3, seed } },
            MoreLines = [new Line { Number = 20, Article = "more", Extra = "extra" }, new GiftLine { Wish = "w" }],
            Related = new Order { Id = 100 + seed, Text = "related", Money = new Currency { Code = "R" } },
            Link = new Uri("http://a/b"),
            Release = new Version(1, 2),
            Kind = typeof(Currency),
            Big = System.Numerics.BigInteger.Pow(10, 30),
            When = new DateTimeOffset(2026, 11, 25, 1, 2, 3, TimeSpan.FromHours(1)),
            Pair = (seed, "pair"),
            Entry = new("k", new Currency { Code = "E" }),
            Result = FSharpResult<int, string>.NewError("late"),
            Plain = new object(),
        };
    }

    [WireName("Unknown.Envelope")]
    public sealed class Envelope
    {
        public object? Content;
        public Order?[]? Orders;
        public Line[]? Lines;
    }

    [WireName("Unknown.Framing")]
    public class Framing
    {
        public int Id;
        public string? Text;
        public Write.Framed? Value;
        public object?[]? Values;
    }

    [WireName("Unknown.Tree")]
    public class Tree
    {
        public string? Name;
        public List<Tree>? Children;
        public Tree? Owner;
        public Currency? Money;
        public Tree? ParentOf;
        public int[]? Shared;
        public int[]? Zeros;
        public object? Extra;
        public object? Known;
    }

    // The one in the middle keeps nothing of it.
    [WireName("Unknown.Plain")]
    public class Plain
    {
        public string? Name;
        public Currency? Money;
        public Tree? Link;
    }

    [WireName("Unknown.Bag")]
    public sealed class Bag : List<int>
    {
        public string? Title;
        public Currency? Money;
        public string? Zip;
    }

    [WireName("Unknown.Failure")]
    public sealed class Failure(string message) : Exception(message)
    {
        public int Code { get; set; }

        public string? Reason { get; set; }
    }

    public enum Mood { Calm, Merry, Angry = 7 }

    public enum OtherMood { Sad = 3, Merry = 2 }

    public class Inherited
    {
        private int _n;

        public int Inner { get => _n; set => _n = value; }
    }

    [WireName("Unknown.Moody")]
    public class Moody : Inherited
    {
        public Mood Mood;
        public Mood? MaybeMood;
        public List<OtherMood>? Others;
        public string? Text;

        private int _n;

        public int Outer { get => _n; set => _n = value; }
    }
}

/// <summary>The types of the program in the middle, which keeps what it does not know.</summary>
public static class Middle
{
    [WireName("Unknown.Line")]
    public class Line : IUnknownMembers
    {
        public int Number;
        public string? Article;

        public UnknownMembers? UnknownMembers { get; set; }
    }

    [WireName("Unknown.GiftLine")]
    public sealed class GiftLine : Line
    {
        public string? Wish;
    }

    [WireName("Unknown.Base")]
    public abstract class Base : IUnknownMembers
    {
        public int Revision;

        public UnknownMembers? UnknownMembers { get; set; }
    }

    [WireName("Unknown.Order")]
    public sealed class Order : Base
    {
        public int Id;
        public string? Note;
        public List<Line?>? Lines;
        public Line? First;
    }

    [WireName("Unknown.Envelope")]
    public sealed class Envelope
    {
        public object? Content;
        public Order?[]? Orders;
        public Line[]? Lines;
    }

    [WireName("Unknown.Framing")]
    public class Framing : IUnknownMembers
    {
        public int Id;

        UnknownMembers? IUnknownMembers.UnknownMembers { get; set; }

        public UnknownMembers? Kept() => ((IUnknownMembers)this).UnknownMembers;
    }

    [WireName("Unknown.Bag")]
    public sealed class Bag : List<int>, IUnknownMembers
    {
        public string? Title;

        public UnknownMembers? UnknownMembers { get; set; }
    }

    [WireName("Unknown.Failure")]
    public sealed class Failure(string message) : Exception(message), IUnknownMembers
    {
        public int Code { get; set; }

        public UnknownMembers? UnknownMembers { get; set; }
    }

    public class Clash : IUnknownMembers
    {
        public string? Text;

        public UnknownMembers? UnknownMembers { get; set; }
    }

    public class Loop : IUnknownMembers
    {
        public int A;

        public UnknownMembers? UnknownMembers { get; set; }
    }

    public struct Value : IUnknownMembers
    {
        public int A;

        public UnknownMembers? UnknownMembers { get; set; }
    }

    [WireName("Unknown.Tree")]
    public class Tree : IUnknownMembers
    {
        public string? Name;
        public List<Tree>? Children;
        public Tree? ParentOf;
        public int[]? Zeros;
        public object? Known;

        public UnknownMembers? UnknownMembers { get; set; }
    }

    [WireName("Unknown.Plain")]
    public class Plain
    {
        public string? Name;
    }

    [WireName("Unknown.Moody")]
    public class Moody : IUnknownMembers
    {
        public Newest.Mood Mood;

        [WireName("_n@Unknown.Moody")]
        private int _n;

        public int Outer { get => _n; set => _n = value; }

        public UnknownMembers? UnknownMembers { get; set; }
    }

    [WireName("Unknown.Moody")]
    public class PlainMoody : IUnknownMembers
    {
        private int _n;

        public int Outer { get => _n; set => _n = value; }

        public UnknownMembers? UnknownMembers { get; set; }
    }
}

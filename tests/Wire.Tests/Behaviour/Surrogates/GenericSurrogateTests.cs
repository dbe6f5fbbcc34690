using Wire.Comparing;
using Xunit;

namespace Wire.Tests.Behaviour.Surrogates;

/// <summary>Stand-ins that say themselves how they stand for a source, open generic ones among them.</summary>
public class GenericSurrogateTests
{
    internal sealed class Money<T>(T amount, string currency)
    {
        private readonly Func<T> _amount = () => amount;

        public T Amount => _amount();

        public string Currency { get; } = currency;
    }

    internal readonly record struct MoneySurrogate<T>(T Amount, string Currency) : ISurrogate<MoneySurrogate<T>, Money<T>>
    {
        public static MoneySurrogate<T> From(Money<T> value) => new(value.Amount, value.Currency);

        public Money<T> ToSource() => new(Amount, Currency);
    }

    internal interface IPair<TLeft, TRight>
    {
        TLeft Left { get; }

        TRight Right { get; }
    }

    internal sealed record Pair<TLeft, TRight>(TLeft Left, TRight Right) : IPair<TLeft, TRight>;

    internal readonly record struct Twin<T>(T Left, T Right) : IPair<T, T>;

    internal sealed class PairSurrogate<TRight, TLeft> : ISurrogate<PairSurrogate<TRight, TLeft>, IPair<TLeft, TRight>>
    {
        public TLeft? Left;
        public TRight? Right;
        public bool IsTwin;

        public static PairSurrogate<TRight, TLeft> From(IPair<TLeft, TRight> value) =>
            new() { Left = value.Left, Right = value.Right, IsTwin = value is Twin<TLeft> };

        public IPair<TLeft, TRight> ToSource() => IsTwin
            ? new Twin<TLeft>(Left!, (TLeft)(object)Right!) as IPair<TLeft, TRight> ?? throw new InvalidDataException()
            : new Pair<TLeft, TRight>(Left!, Right!);
    }

    internal abstract class Cell<T>
    {
        public T? Value;
    }

    internal sealed class Plain<T> : Cell<T>;

    internal sealed class Text : Cell<string>;

    internal sealed class CellSurrogate<T> : ISurrogate<CellSurrogate<T>, Cell<T>>
    {
        public T? Value;
        public bool IsText;

        public static CellSurrogate<T> From(Cell<T> value) => new() { Value = value.Value, IsText = value is Text };

        public Cell<T> ToSource() =>
            IsText ? (Cell<T>)(object)new Text { Value = (string?)(object?)Value } : new Plain<T> { Value = Value };
    }

    internal sealed class Bill
    {
        public Money<decimal>? Total;
        public Money<long?>? Rounded;
        public object? Any;
        public List<Money<int>?>? Parts;
        public IPair<string, int>? Pair;
        public IPair<int, int>?[]? Pairs;
        public Twin<int> Twin;
        public Twin<string>? Maybe;
        public Dictionary<Twin<int>, Cell<Money<int>>>? Cells;
    }

    internal sealed class TwoPairs : IPair<int, string>, IPair<string, int>
    {
        int IPair<int, string>.Left => 1;

        string IPair<int, string>.Right => "1";

        string IPair<string, int>.Left => "2";

        int IPair<string, int>.Right => 2;
    }

    internal sealed record Kelvin(double Value);

    internal sealed record KelvinSurrogate(int Milli) : ISurrogate<KelvinSurrogate, Kelvin>
    {
        public static KelvinSurrogate From(Kelvin value) => value.Value < 0 ? null! : new((int)(value.Value * 1000));

        public Kelvin ToSource() => new(Milli / 1000.0);
    }

    internal struct NumberSurrogate<T> : ISurrogate<NumberSurrogate<T>, Cell<T>>
        where T : struct
    {
        public T Value;

        public static NumberSurrogate<T> From(Cell<T> value) => new() { Value = value.Value };

        public readonly Cell<T> ToSource() => new Plain<T> { Value = Value };
    }

    internal sealed class LeafSurrogate : ISurrogate<LeafSurrogate, Leaf>
    {
        public static LeafSurrogate From(Leaf value) => new();

        public Leaf ToSource() => new();
    }

    internal sealed class Narrow<T> : ISurrogate<Narrow<T>, IPair<T, int>>
    {
        public static Narrow<T> From(IPair<T, int> value) => new();

        public IPair<T, int> ToSource() => new Pair<T, int>(default!, 0);
    }

    internal sealed class Plus<T> : Cell<T>, ISurrogate<Plus<T>, Cell<T>>
    {
        public static Plus<T> From(Cell<T> value) => new();

        public Cell<T> ToSource() => this;
    }

    internal sealed class InText : Cell<int>;

    internal sealed class Nested<T>(T value)
    {
        public T Value { get; } = value;
    }

    /// <summary>For an int, another surrogate's source.</summary>
    internal class NestedSurrogate<T> : Cell<T>, ISurrogate<NestedSurrogate<T>, Nested<T>>
    {
        public static NestedSurrogate<T> From(Nested<T> value) => new() { Value = value.Value };

        public Nested<T> ToSource() => new(Value!);
    }

    private static readonly Surrogate[] Surrogates =
    [
        Surrogate.Create(typeof(Money<>), typeof(MoneySurrogate<>)),
        Surrogate.Create(typeof(IPair<,>), typeof(PairSurrogate<,>)),
        Surrogate.Create(typeof(Cell<>), typeof(CellSurrogate<>)),
        Surrogate.Create(typeof(Kelvin), typeof(KelvinSurrogate)),
    ];

    public static TheoryData<bool, bool> Modes => new() { { true, true }, { true, false }, { false, true }, { false, false } };

    [Theory]
    [MemberData(nameof(Modes))]
    public void One_registration_covers_every_instance(bool dynamicCode, bool references)
    {
        Serializer serializer = Make(dynamicCode, references, Surrogates);
        var graph = new object?[]
        {
            new MoneyView(serializer.RoundTrip(new Money<decimal>(1.50m, "EUR"))),
            new MoneyView(serializer.RoundTrip(new Money<long>(7, "SEK"))),
            new MoneyView(serializer.RoundTrip<object>(new Money<string>("much", "USD"))),
        };
        GraphAssert.Same(new object?[]
        {
            new MoneyView("1.50 EUR", typeof(Money<decimal>)),
            new MoneyView("7 SEK", typeof(Money<long>)),
            new MoneyView("much USD", typeof(Money<string>)),
        }, graph);

        object?[] pairs =
        [
            new Pair<string, int>("a", 1),
            new Twin<int>(2, 3),
            new Twin<string>("b", "c"),
            new Pair<int, Pair<string, bool>>(4, new Pair<string, bool>("d", true)),
            new Pair<object, object?>(new Text { Value = "e" }, null),
            new Plain<int> { Value = 5 },
            new Plain<Cell<string>> { Value = new Text { Value = "f" } },
            new IPair<int, int>?[] { new Twin<int>(6, 7), new Pair<int, int>(8, 9), null },
            new Cell<string>?[] { new Text { Value = "g" }, new Plain<string> { Value = "h" }, null },
            new Dictionary<Twin<int>, Cell<int>> { [new Twin<int>(1, 2)] = new Plain<int> { Value = 3 } },
            new Twin<int>?[] { new Twin<int>(10, 11), null },
            new Kelvin(273.15),
        ];
        GraphAssert.Same(pairs, serializer.RoundTrip(pairs), sharing: references);
        GraphAssert.Same(new Twin<int>(1, 2), serializer.RoundTrip(new Twin<int>(1, 2)));

        var bill = new Bill
        {
            Pair = new Pair<string, int>("x", 1),
            Pairs = [new Twin<int>(1, 2), null],
            Twin = new Twin<int>(3, 4),
            Maybe = new Twin<string>("y", "z"),
            Any = new Plain<Kelvin> { Value = new Kelvin(1) },
        };
        GraphAssert.Same(bill, serializer.RoundTrip(bill), sharing: references);
        bill.Total = new Money<decimal>(1m, "EUR");
        bill.Rounded = new Money<long?>(null, "USD");
        bill.Parts = [new Money<int>(1, "a"), null, new Money<int>(2, "b")];
        bill.Cells = new() { [new Twin<int>(5, 6)] = new Plain<Money<int>> { Value = new Money<int>(3, "c") } };
        Bill copy = serializer.DeserializeTyped<Bill>(serializer.SerializeTyped(bill))!;
        Assert.Equal("1 EUR", new MoneyView(copy.Total!).Text);
        Assert.Null(copy.Rounded!.Amount);
        Assert.Equal(new[] { "1 a", null, "2 b" }, copy.Parts!.Select(part => part is null ? null : new MoneyView(part).Text));
        Assert.Equal("3 c", new MoneyView(copy.Cells![new Twin<int>(5, 6)].Value!).Text);
    }

    [Fact]
    public void Payloads_name_the_source_and_need_no_filter_but_for_the_arguments()
    {
        var serializer = new Serializer(new SerializerOptions { Surrogates = [.. Surrogates] });
        Assert.Equal("1 EUR", new MoneyView(serializer.Deserialize<object>(serializer.Serialize(new Money<int>(1, "EUR")))!).Text);
        byte[] payload = serializer.Serialize(new Plain<Point>());
        Assert.Contains(
            "Point", Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(payload)).TypeName, StringComparison.Ordinal);
        Assert.IsType<Plain<Point>>(serializer.Deserialize<Cell<Point>>(payload));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_narrower_surrogate_comes_first(bool dynamicCode)
    {
        Serializer serializer =
            Make(dynamicCode, false, [Surrogate.Create<Cell<int>, int>(_ => 0, _ => new Plain<int> { Value = 42 }), .. Surrogates]);
        Assert.Equal(42, serializer.RoundTrip<Cell<int>>(new Plain<int>()).Value);
        Assert.Equal(1, serializer.RoundTrip<Cell<long>>(new Plain<long> { Value = 1 }).Value);
    }

    [Theory]
    [InlineData(typeof(Money<>), typeof(MoneySurrogate<int>), "both open generic types, or neither")]
    [InlineData(typeof(Money<int>), typeof(MoneySurrogate<>), "both open generic types, or neither")]
    [InlineData(typeof(Money<int>), typeof(MoneySurrogate<long>), "has to be a class or struct that implements ISurrogate")]
    [InlineData(typeof(Money<>), typeof(CellSurrogate<>), "has to be a class or struct that implements ISurrogate")]
    [InlineData(typeof(Leaf), typeof(Cat), "has to be a class or struct that implements ISurrogate")]
    [InlineData(typeof(Dog), typeof(LeafSurrogate), "has to be a class or struct that implements ISurrogate")]
    [InlineData(typeof(Leaf), typeof(IComparable), "has to be a class or struct that implements ISurrogate")]
    [InlineData(typeof(IPair<,>), typeof(Narrow<>), "has to stand for every instance")]
    [InlineData(typeof(Cell<>), typeof(Plus<>), "would be replaced again for ever")]
    [InlineData(typeof(string), typeof(LeafSurrogate), "is a built-in type")]
    public void A_stand_in_that_does_not_fit_is_refused_when_the_surrogate_is_made(Type source, Type surrogate, string reason)
    {
        Assert.Contains(
            reason, Assert.Throws<ArgumentException>(() => Surrogate.Create(source, surrogate)).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentNullException>(() => Surrogate.Create(null!, surrogate));
        Assert.Throws<ArgumentNullException>(() => Surrogate.Create(source, null!));
    }

    [Fact]
    public void Types_that_are_open_in_part_are_refused()
    {
        Type half = typeof(IPair<,>).MakeGenericType(typeof(int), typeof(Cell<>).GetGenericArguments()[0]);
        Assert.Contains(
            "leaves some of its type arguments open",
            Assert.Throws<ArgumentException>(() => Surrogate.Create(half, typeof(PairSurrogate<,>))).Message,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_shows_only_with_an_instance_is_reported_there(bool dynamicCode)
    {
        Serializer numbers = Make(dynamicCode, false, [Surrogate.Create(typeof(Cell<>), typeof(NumberSurrogate<>))]);
        Assert.Equal(1, numbers.RoundTrip(new Plain<int> { Value = 1 }).Value);
        var constraint = Assert.Throws<UnsupportedTypeException>(() => numbers.Serialize(new object[] { new Text() }));
        Assert.Equal((typeof(Text), "[0]"), (constraint.Type, constraint.MemberPath));
        Assert.Contains("do not satisfy the constraints", constraint.Message, StringComparison.Ordinal);
        Assert.Equal(2, numbers.RoundTrip(new Box<object> { Value = 2 }).Value);

        Serializer pairs = Make(dynamicCode, false, Surrogates);
        Assert.Contains(
            "at once", Assert.Throws<UnsupportedTypeException>(() => pairs.Serialize(new TwoPairs())).Message, StringComparison.Ordinal);
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => pairs.Deserialize<Kelvin>(NullStandIn(pairs))).Error);
        Assert.Throws<UnsupportedTypeException>(() => pairs.Serialize(new Kelvin(-1)));
    }

    [Fact]
    public void A_stand_in_that_is_replaced_itself_is_refused_as_soon_as_it_can_be_known()
    {
        Surrogate nested = Surrogate.Create(typeof(Nested<>), typeof(NestedSurrogate<>));
        Surrogate cells = Surrogate.Create(typeof(Cell<>), typeof(CellSurrogate<>));
        Assert.Throws<ArgumentException>(() => Make(true, false, [nested, cells]));

        Surrogate intCells = Surrogate.Create<Cell<int>, int>(cell => cell.Value, value => new InText { Value = value });
        Serializer serializer = Make(true, false, [nested, intCells]);
        Assert.Equal("a", serializer.RoundTrip(new Nested<string>("a")).Value);
        Assert.Contains(
            "has a surrogate for it too",
            Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(new Nested<int>(1))).Message,
            StringComparison.Ordinal);
    }

    // The stand-in's tag becomes null, and what followed it goes.
    private static byte[] NullStandIn(Serializer serializer)
    {
        byte[] payload = serializer.Serialize(new Kelvin(1));
        byte[] other = serializer.Serialize(new Kelvin(2));
        int manifestEnd = 3 + payload[2];
        Assert.Equal(payload.Length, other.Length);
        return [.. payload[..manifestEnd], 0];
    }

    /// <summary>What a Money says, whose fields cannot be compared.</summary>
    private sealed record MoneyView(string Text, Type Type)
    {
        public MoneyView(object money)
            : this(FormattableString.Invariant($"{Of(money, "Amount")} {Of(money, "Currency")}"), money.GetType())
        {
        }

        private static object? Of(object money, string property) => money.GetType().GetProperty(property)!.GetValue(money);
    }

    private static Serializer Make(bool dynamicCode, bool references, Surrogate[] surrogates) =>
        Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references, Surrogates = [.. surrogates] });
}

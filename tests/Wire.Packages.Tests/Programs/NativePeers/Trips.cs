using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Globalization;
using System.Numerics;
using Foreign;
using Shop;

// The round trips of all serializers: the same values, and the same look at the copy.
internal static class Trips
{
    private static Entity Identified { get; } = new() { Name = "e" };

    public static Trip[] All { get; } =
    [
        new Trip<Customer>(
            "record with init-only members",
            () => new() { Id = 1, Name = "Ada", Born = new DateOnly(1815, 12, 10) },
            copy => Same(new Customer { Id = 1, Name = "Ada", Born = new DateOnly(1815, 12, 10) }, copy)),
        new Trip<Account>(
            "private fields",
            () => Made(new Account(), account => account.Pay(5, "Bob")),
            copy => Same("-5 Bob", copy.ToString())),
        new Trip<Inner>(
            "private fields of one name in a class and its base class",
            () => new Inner().With(1, 2),
            copy => Same("1 2", copy.ToString())) { Undeclared = typeof(MemoryPackPeer) },
        new Trip<Ticket>("private constructor", () => Ticket.Issue("A1"), copy => Same("A1", copy.Code)),
        new Trip<Seat>("get-only properties that the constructor sets", () => new("B", 7), copy => Same("B7", copy.Row + copy.Number)),
        new Trip<Entity>(
            "get-only property that no constructor sets",
            () => Identified,
            copy => Same(Identified.Id, copy.Id)),
        new Trip<Log>(
            "interface with twenty implementations",
            () => new() { Events = Events.Twenty() },
            copy => SameItems(Events.Twenty(), copy.Events)),
        new Trip<Mixed>(
            "array of object: numbers, text, null",
            () => new() { Values = MixedValues() },
            copy => SameItems(MixedValues(), copy.Values)),
        new Trip<Anything>(
            "object of a class, in a member of object",
            () => new() { Value = new Placed(1, "Ada") },
            copy => Same<object?>(new Placed(1, "Ada"), copy.Value)) { Undeclared = typeof(MemoryPackPeer) },
        new Trip<Garage>(
            "abstract base class in a member",
            () => new() { Parked = new Truck { Plate = "B 1", Load = 1.5 } },
            copy => Same(("B 1", 1.5), (copy.Parked!.Plate, As<Truck>(copy.Parked).Load))),
        new Trip<Shelf>(
            "base class that is not abstract",
            () => new() { Items = [new Item { Name = "pen" }, new Gift { Name = "ink", From = "Bob" }] },
            copy =>
            {
                Same(("pen", "ink"), (As<Item>(copy.Items[0]).Name, copy.Items[1].Name));
                Same("Bob", As<Gift>(copy.Items[1]).From);
            }),
        new Trip<Plugins>(
            "implementations that the start of the program names",
            () => new() { Items = [new Zip(9), new Crypt("k")] },
            copy => SameItems([new Zip(9), new Crypt("k")], copy.Items)),
        new Trip<Opens>(
            "implementation that nothing names",
            () => new() { Item = new Unknown(3) },
            copy => Same<IOpen?>(new Unknown(3), copy.Item)),
        new Trip<Delivery>(
            "class of another assembly",
            () => new() { Parcel = new() { Code = "p", Weight = 4 }, Zone = Zone.South },
            copy => Same(("p", 4, Zone.South), (copy.Parcel!.Code, copy.Parcel.Weight, copy.Zone))),
        new Trip<Letter>(
            "class of another assembly, with private fields",
            () => new() { Content = Made(new Sealed("s"), content => content.Open()) },
            copy => Same("s 1", copy.Content!.ToString())),
        new Trip<Twins>(
            "object that is shared",
            () =>
            {
                var leaf = new Leaf { Name = "l" };
                return new() { Left = leaf, Right = leaf };
            },
            copy => Shared("l", copy.Left!.Name, copy.Left, copy.Right),
            Sharing: true),
        new Trip<Invoice>(
            "shared record with a constructor",
            () =>
            {
                var address = new Address("Main", "Bonn");
                return new() { To = address, Payer = address };
            },
            copy => Shared(new Address("Main", "Bonn"), copy.To, copy.To, copy.Payer),
            Sharing: true),
        new Trip<Lists>(
            "list that is shared",
            () =>
            {
                List<int> list = [1, 2];
                return new() { Left = list, Right = list };
            },
            copy => Shared(2, copy.Left!.Count, copy.Left, copy.Right),
            Sharing: true),
        new Trip<Node>(
            "cycle",
            () => Made(new Node { Name = "a", Next = new() { Name = "b" } }, node => node.Next!.Next = node),
            copy => Shared("b", copy.Next!.Name, copy, copy.Next.Next),
            Sharing: true),
        new Trip<Person>(
            "cycle through a list",
            () => Made(new Person { Name = "a" }, boss => boss.Staff = [new() { Name = "b", Boss = boss }]),
            copy => Shared("b", copy.Staff[0].Name, copy, copy.Staff[0].Boss),
            Sharing: true),
        new Trip<Immutables>(
            "immutable collections",
            () => new()
            {
                Array = [1, 2],
                List = ["a", "b"],
                Dictionary = ImmutableDictionary<string, int>.Empty.Add("a", 1),
                Set = [3],
            },
            copy =>
            {
                SameItems([1, 2], copy.Array);
                SameItems(["a", "b"], copy.List);
                Same((1, true), (copy.Dictionary["a"], copy.Set.Contains(3)));
            }),
        new Trip<Immutables>("immutable array that is not set", () => new() { Array = default }, copy => Same(true, copy.Array.IsDefault)),
        new Trip<Ignoring>(
            "immutable dictionary with the comparer of its member",
            () => new() { Numbers = ImmutableDictionary.Create<string, int>(StringComparer.OrdinalIgnoreCase).Add("A", 1) },
            copy =>
            {
                Same(1, copy.Numbers.GetValueOrDefault("a"));
                Same(StringComparer.OrdinalIgnoreCase, copy.Numbers.KeyComparer);
            }),
        new Trip<Frozen>(
            "frozen collections",
            () => new()
            {
                Numbers = new Dictionary<string, int> { ["a"] = 1, ["b"] = 2 }.ToFrozenDictionary(),
                Names = new[] { "a", "b" }.ToFrozenSet(),
            },
            copy => Same((2, 2, 2, true), (copy.Numbers.Count, copy.Numbers["b"], copy.Names.Count, copy.Names.Contains("a")))),
        new Trip<Frozen>(
            "frozen collections with a comparer of their own",
            () => new()
            {
                Numbers = new Dictionary<string, int> { ["A"] = 1 }.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase),
                Names = new[] { "A" }.ToFrozenSet(StringComparer.OrdinalIgnoreCase),
            },
            copy => Same((1, true), (copy.Numbers.GetValueOrDefault("a"), copy.Names.Contains("a")))),
        new Trip<Catalog>(
            "dictionary with the comparer of its member",
            () => new() { Numbers = { ["A"] = 1 } },
            copy =>
            {
                Same(1, copy.Numbers.GetValueOrDefault("a"));
                Same(StringComparer.OrdinalIgnoreCase, copy.Numbers.Comparer);
            }),
        new Trip<Indexes>(
            "dictionaries with a comparer of their own",
            () => new()
            {
                Exact = new(StringComparer.Ordinal) { ["A"] = 1 },
                Ignoring = new(StringComparer.OrdinalIgnoreCase) { ["A"] = 1 },
            },
            copy => Same(
                (false, true, 1),
                (copy.Exact!.ContainsKey("a"), copy.Ignoring!.ContainsKey("a"), copy.Exact.GetValueOrDefault("A")))),
        new Trip<Ranked>(
            "sorted set with a comparer of its own",
            () => new() { Names = new(StringComparer.OrdinalIgnoreCase) { "b", "A" } },
            copy =>
            {
                SameItems(["A", "b"], copy.Names);
                Same(true, copy.Names.Contains("B"));
            }),
        new Trip<Box<Stack<int>>>("stack", () => new() { Content = new([1, 2]) }, copy => SameItems([2, 1], copy.Content!)),
        new Trip<Sorted>(
            "queue, linked list, sorted dictionary",
            () => new() { Queue = new([1, 2]), Linked = new(["a", "b"]), Sorting = new() { [2] = "b", [1] = "a" } },
            copy =>
            {
                SameItems([1, 2], copy.Queue);
                SameItems(["a", "b"], copy.Linked);
                SameItems(["a", "b"], copy.Sorting.Values);
            }),
        new Trip<Maybe>(
            "values that may be null",
            () => new() { Number = 1, Price = new Money(1, "EUR"), Stage = Stage.Paid, Numbers = [1, null] },
            copy =>
            {
                Same((1, null, new Money(1, "EUR"), Stage.Paid), (copy.Number, copy.At, copy.Price, copy.Stage));
                SameItems([1, null], copy.Numbers);
            }),
        new Trip<Tuples>(
            "tuples, key and value",
            () => new() { Value = (1, "a", (2.5, true)), Class = Tuple.Create(1, "b"), Pair = new("c", 3) },
            copy =>
            {
                Same((1, "a", (2.5, true)), copy.Value);
                Same(Tuple.Create(1, "b"), copy.Class);
                Same(new KeyValuePair<string, int>("c", 3), copy.Pair);
            }),
        new Trip<Enums>(
            "enums, of a byte, of flags, as keys",
            () => new() { Stage = Stage.Shipped, Level = Level.High, Days = Days.Sunday | Days.Monday, Texts = { [Stage.Paid] = "p" } },
            copy => Same(
                (Stage.Shipped, Level.High, Days.Sunday | Days.Monday, "p"),
                (copy.Stage, copy.Level, copy.Days, copy.Texts[Stage.Paid]))),
        new Trip<Box<int[,]>>(
            "array of two dimensions",
            () => new() { Content = new[,] { { 1, 2, 3 }, { 4, 5, 6 } } },
            copy => Same((2, 3, 6), (copy.Content!.GetLength(0), copy.Content.GetLength(1), copy.Content[1, 2]))),
        new Trip<Box<int[][]>>("array of arrays", () => new() { Content = [[1], [2, 3]] }, copy => Same(3, copy.Content![1][1])),
        new Trip<Shelves>(
            "array of a class in a member for an array of its base class",
            () => new() { Items = new Gift[] { new() { Name = "ink", From = "Bob" } } },
            copy =>
            {
                Same(typeof(Gift[]), copy.Items.GetType());
                Same("Bob", As<Gift>(copy.Items[0]).From);
            }),
        new Trip<Bag>(
            "dictionary of text and object",
            () => new() { Values = { ["a"] = 1, ["b"] = "two", ["c"] = null } },
            copy => Same<(object?, object?, object?)>((1, "two", null), (copy.Values["a"], copy.Values["b"], copy.Values["c"]))),
        new Trip<Failure>(
            "exception with another inside",
            () => new() { Error = new InvalidOperationException("closed", new ArgumentException("wrong", "day")) },
            copy =>
            {
                Same("closed", As<InvalidOperationException>(copy.Error).Message);
                Same("day", As<ArgumentException>(copy.Error!.InnerException).ParamName);
            }),
        new Trip<Box<Stock[]>>(
            "array of structs with a constructor",
            () => new() { Content = [new(2, new Money(1, "EUR"))] },
            copy => Same((2, new Money(1, "EUR")), (copy.Content![0].Count, copy.Content[0].Price))),
        new Trip<Box<Counter>>(
            "struct with a private field",
            () =>
            {
                var counter = new Counter();
                counter.Add();
                return new() { Content = counter };
            },
            copy => Same("1", copy.Content.ToString())),
        new Trip<Box<Money>>(
            "generic class of a struct",
            () => new() { Content = new Money(1.50m, "EUR") },
            copy => Same("1.50 EUR", $"{copy.Content.Amount.ToString(CultureInfo.InvariantCulture)} {copy.Content.Currency}")),
        new Trip<Box<Box<string>>>(
            "generic class of a generic class",
            () => new() { Content = new() { Content = "in" } },
            copy => Same("in", copy.Content!.Content)),
        new Trip<Moments>(
            "times, with their kinds",
            () => new()
            {
                Utc = At(DateTimeKind.Utc),
                Local = At(DateTimeKind.Local),
                Unspecified = At(DateTimeKind.Unspecified),
                Offset = new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(2)),
                Time = new TimeOnly(3, 4, 5),
                Span = TimeSpan.FromTicks(7),
            },
            copy =>
            {
                Same((At(DateTimeKind.Utc), DateTimeKind.Utc), (copy.Utc, copy.Utc.Kind));
                Same((At(DateTimeKind.Local), DateTimeKind.Local), (copy.Local, copy.Local.Kind));
                Same((At(DateTimeKind.Unspecified), DateTimeKind.Unspecified), (copy.Unspecified, copy.Unspecified.Kind));
                Same(
                    (new DateTime(2026, 1, 2, 3, 4, 5), TimeSpan.FromHours(2), new TimeOnly(3, 4, 5), 7L),
                    (copy.Offset.DateTime, copy.Offset.Offset, copy.Time, copy.Span.Ticks));
            }),
        new Trip<Numbers>(
            "decimal with its digits, NaN, -0, Half, Int128",
            () => new()
            {
                Decimal = 1.50m,
                NaN = double.NaN,
                Zero = -0.0,
                Half = (Half)0.5,
                Int128 = Int128.MinValue,
                Largest = ulong.MaxValue,
            },
            copy => Same(
                ("1.50", true, true, (Half)0.5, Int128.MinValue, ulong.MaxValue),
                (copy.Decimal.ToString(CultureInfo.InvariantCulture),
                    double.IsNaN(copy.NaN), double.IsNegative(copy.Zero), copy.Half, copy.Int128, copy.Largest))),
        new Trip<Big>("BigInteger", () => new() { Value = BigInteger.Pow(3, 90) }, copy => Same(BigInteger.Pow(3, 90), copy.Value)),
        new Trip<Platform>(
            "Uri, Version, char",
            () => new() { Uri = new("https://example.org/a"), Version = new(1, 2), Char = 'ä' },
            copy => Same((new Uri("https://example.org/a"), new Version(1, 2), 'ä'), (copy.Uri, copy.Version, copy.Char))),
        new Trip<Locale>(
            "CultureInfo",
            () => new() { Culture = CultureInfo.InvariantCulture },
            copy => Same(CultureInfo.InvariantCulture, copy.Culture)),
        new Trip<Box<string>>(
            "text with half of a pair of surrogates",
            () => new() { Content = "a\ud800b" },
            copy => Same("a\ud800b", copy.Content)),
        new Trip<Nulls>(
            "null inside of collections",
            () => new() { Texts = ["a", null], Items = [null, new Item { Name = "b" }], ByName = { ["c"] = null }, None = null },
            copy =>
            {
                SameItems(["a", null], copy.Texts);
                Same((2, null, "b"), (copy.Items.Count, copy.Items[0], copy.Items[1]!.Name));
                Same((1, null, null), (copy.ByName.Count, copy.ByName["c"], copy.None));
            }),
        new Trip<Prices>(
            "dictionary whose keys are structs",
            () => new() { Texts = { [new(1, "EUR")] = "a" } },
            copy => Same("a", copy.Texts[new(1, "EUR")])),
        new Trip<Basket>(
            "class that derives from a list, with a member of its own",
            () => Made(new Basket { "a", "b" }, basket => basket.Owner = "Ada"),
            copy =>
            {
                SameItems(["a", "b"], copy);
                Same("Ada", copy.Owner);
            }),
        new Trip<Order>("order with lines", Order.Example, copy => Same(Text(Order.Example()), Text(copy))),
        new VersionTrip<Old, Removed>("version without a member", Versioned, copy => Same((7, "pen"), (copy.Id, copy.Lines![0].Article))),
        new VersionTrip<Old, Added>(
            "version with one more member",
            Versioned,
            copy => Same((7, "g", "pen", null), (copy.Id, copy.Gone, copy.Lines![0].Article, copy.Text))),
        new VersionTrip<Old, Called>(
            "version with another name for a member",
            Versioned,
            copy => Same((7, "g", "pen"), (copy.Id, copy.Text, copy.Lines![0].Article))),
        new VersionTrip<Old, Widened>(
            "version with long for int",
            Versioned,
            copy => Same((7L, "g", "pen"), (copy.Id, copy.Gone, copy.Lines![0].Article))),
    ];

    private static Old Versioned() => new() { Id = 7, Gone = "g", Lines = [new Line { Article = "pen" }] };

    private static object?[] MixedValues() => [1, "two", 3.5, 4L, 5.50m, true, new Guid("00112233445566778899aabbccddeeff"), null];

    private static DateTime At(DateTimeKind kind) => new(2026, 1, 2, 3, 4, 5, kind);

    private static string Text(Order order) => string.Join(
        '|',
        order.Id, order.Number, order.Created.Ticks, order.Created.Kind, order.Paid?.Ticks, order.Customer, order.Email, order.Phone,
        order.Street, order.City, order.Zip, order.Country, order.Currency, order.Net, order.Tax, order.Weight, order.Priority,
        order.IsGift, order.Stage, order.Note,
        string.Join(';', order.Lines.Select(line => $"{line.Article} {line.Count} {line.Price} {line.Sku}")));

    private static T Made<T>(T value, Action<T> change)
    {
        change(value);
        return value;
    }

    private static void Same<T>(T expected, T actual)
    {
        if (!EqualityComparer<T>.Default.Equals(expected, actual))
        {
            throw new DifferentException($"{actual} for {expected}");
        }
    }

    private static void SameItems<T>(IEnumerable<T> expected, IEnumerable<T> actual)
    {
        (T[] left, T[] right) = (expected.ToArray(), actual.ToArray());
        Same(left.Length, right.Length);
        for (int i = 0; i < left.Length; i++)
        {
            Same(left[i]?.GetType(), right[i]?.GetType());
            Same(left[i] is decimal number ? number.ToString(CultureInfo.InvariantCulture) : null, right[i] is decimal other
                ? other.ToString(CultureInfo.InvariantCulture)
                : null);
            Same(left[i], right[i]);
        }
    }

    private static void Shared<T>(T expected, T actual, object? first, object? second)
    {
        Same(expected, actual);
        if (!ReferenceEquals(first, second))
        {
            throw new DifferentException("two objects for one");
        }
    }

    private static T As<T>(object? value)
    {
        Same(typeof(T), value?.GetType());
        return (T)value!;
    }
}

internal sealed class DifferentException(string message) : Exception(message);

internal abstract record Trip(string Name)
{
    public const string Passed = "pass";

    /// <summary>The serializer whose generator does not compile the class; a comment at the class says why.</summary>
    public Type? Undeclared { get; init; }

    public string Run(Peer peer)
    {
        if (peer.GetType() == Undeclared)
        {
            return "cannot be declared";
        }

        try
        {
            RunBy(peer);
            return Passed;
        }
        catch (DifferentException e)
        {
            return $"different: {e.Message}";
        }
        catch (Exception e)
        {
            return $"refused: {e.GetType().Name}: {e.GetBaseException().Message.Split('\n')[0]}";
        }
    }

    protected abstract void RunBy(Peer peer);
}

internal sealed record Trip<T>(string Name, Func<T> Make, Action<T> Check, bool Sharing = false) : Trip(Name)
{
    protected override void RunBy(Peer peer)
    {
        T copy = peer.Read<T>(peer.Write(Make(), Sharing), Sharing) ?? throw new DifferentException("null");
        Check(copy);
    }
}

internal sealed record VersionTrip<TOld, TNew>(string Name, Func<TOld> Make, Action<TNew> Check) : Trip(Name)
{
    protected override void RunBy(Peer peer) =>
        Check(peer.ReadAs<TOld, TNew>(peer.Write(Make(), false)) ?? throw new DifferentException("null"));
}

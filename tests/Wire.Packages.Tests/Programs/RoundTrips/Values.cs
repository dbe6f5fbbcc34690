using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Numerics;
using System.Text;
using Shop;
using Wire;

// Scalars, and what holds values rather than objects.
internal static partial class Trips
{
    private static readonly (string Name, Action<SerializerOptions> Run)[] Values =
    [
        ("truth and integers", options =>
        {
            Each(options, true, (byte)1, (sbyte)-1, (short)-2, (ushort)2, -3, 3u, -4L, 4UL);
            Each(options, (nint)5, (nuint)6, (Int128)(-7), UInt128.MaxValue, BigInteger.Pow(3, 90));
        }),
        ("numbers with a point", options => Each(options, 1.5f, -2.5, 3.14159m, (Half)0.5, new Complex(1, -2))),
        ("times", options =>
        {
            Guid guid = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff");
            Each(options, new DateOnly(2026, 1, 2), new TimeOnly(3, 4, 5), TimeSpan.FromMinutes(7), guid);
            foreach (DateTimeKind kind in (DateTimeKind[])[DateTimeKind.Unspecified, DateTimeKind.Utc, DateTimeKind.Local])
            {
                Same(kind, Copy(options, new DateTime(2026, 6, 1, 12, 0, 0, kind)).Kind);
            }
        }),
        ("texts", options =>
        {
            Each(options, 'ä', new Rune(0x1F600), "", "a", "ä\u4e2d\U0001F600", new string('x', 300));
            Same(null, Copy<string?>(options, null));
        }),
        ("arrays of scalars", options =>
        {
            Same("1,2,3", string.Join(',', Copy(options, new[] { 1, 2, 3 })));
            Same("AQID", Convert.ToBase64String(Copy(options, new byte[] { 1, 2, 3 })));
            Same("a,,b", string.Join(',', Copy(options, new[] { "a", null, "b" })));
            Same("1.5,2.5", string.Join(',', Copy(options, new[] { 1.5m, 2.5m })));
        }),
        ("arrays of arrays", options => Same(3, Copy(options, new[] { new[] { 1 }, [2, 3] })[1][1])),
        ("array and list of structs", options =>
        {
            Same(new Money(2, "EUR"), Copy(options, new[] { new Money(1, "EUR"), new(2, "EUR") })[1]);
            Same(new Money(2, "EUR"), Copy(options, new List<Money> { new(1, "EUR"), new(2, "EUR") })[1]);
        }),
        ("lists of scalars", options =>
        {
            Same(2, Copy(options, new List<int> { 1, 2 })[1]);
            Same(2.5, Copy(options, new List<double> { 1.5, 2.5 })[1]);
            Same(Guid.Empty, Copy(options, new List<Guid> { Guid.Empty })[0]);
        }),
        ("nullable scalars", options =>
        {
            Same(1, Copy<int?>(options, 1));
            Same(null, Copy<int?>(options, null));
            Same(TimeSpan.Zero, Copy<TimeSpan?>(options, TimeSpan.Zero));
            Same(null, Copy(options, new List<int?> { 1, null })[1]);
        }),
        ("nullable structs in a list", options =>
        {
            List<Money?> copy = Copy(options, new List<Money?> { new Money(1, "EUR"), null });
            Same(new Money(1, "EUR"), copy[0]);
            Same(null, copy[1]);
        }),
        ("nullable members", options =>
        {
            Maybe copy = Copy(options, new Maybe { Number = 1, State = State.Paid, Price = new Money(1, "EUR") });
            Same(1, copy.Number);
            Same(State.Paid, copy.State);
            Same(new Money(1, "EUR"), copy.Price);
            Same(null, Copy(options, new Maybe()).Price);
        }),
        ("struct with a private field and a struct in it", options =>
            Same("3 1 EUR", Copy(options, new Stock(3, new(1, "EUR"))).ToString())),
        ("generic structs", options =>
        {
            Same(new Pair<int>(1, 2), Copy(options, new Pair<int>(1, 2)));
            Same(new Pair<string>("a", "b"), Copy(options, new Pair<string>("a", "b")));
        }),
        ("generic classes of values", options =>
        {
            Same(7, Copy(options, new Holder<int>(7)).Value);
            Same(State.Paid, Copy(options, new Holder<State>(State.Paid)).Value);
        }),
        ("enums of other integers", options =>
        {
            Same(Level.High, Copy(options, Level.High));
            Same(Level.High, Copy(options, new[] { Level.Low, Level.High })[1]);
        }),
        ("enum in a variable of object, and as a key", options =>
        {
            Same(State.Paid, (State)Copy<object>(options, State.Paid));
            Same("p", Copy(options, new Dictionary<State, string> { [State.Paid] = "p" })[State.Paid]);
        }),
        ("nullable enum", options => Same(State.Paid, Copy<State?>(options, State.Paid))),
        ("dictionaries over values", options =>
        {
            Same(new Money(1, "EUR"), Copy(options, new Dictionary<string, Money> { ["a"] = new(1, "EUR") })["a"]);
            Same(2.5, Copy(options, new Dictionary<int, double> { [1] = 2.5 })[1]);
            Same("Ada", Copy(options, new Dictionary<Guid, Placed> { [Guid.Empty] = new(1, "Ada") })[Guid.Empty].Customer);
        }),
        ("sets", options =>
        {
            Same(true, Copy(options, new HashSet<int> { 1, 2 }).Contains(2));
            Same(true, Copy(options, new HashSet<string> { "a", "b" }).Contains("b"));
        }),
        ("key and value", options =>
        {
            KeyValuePair<int, Money> pair = KeyValuePair.Create(1, new Money(2, "EUR"));
            Same(pair, Copy(options, pair));
        }),
        ("tuples in tuples", options => Same((1, ("a", 2.5)), Copy(options, (1, ("a", 2.5))))),
        ("tuple of objects", options => Same(("a", "b"), Copy(options, ("a", "b")))),
        ("memory and parts of arrays", options =>
        {
            Same(2, Copy<Memory<byte>>(options, new byte[] { 1, 2 }).Span[1]);
            Same(3, Copy<ArraySegment<int>>(options, new ArraySegment<int>([1, 2, 3], 1, 2))[1]);
        }),
        ("collections around a list", options =>
        {
            Same("b", Copy(options, new ObservableCollection<string> { "a", "b" })[1]);
            Same("b", Copy(options, new ReadOnlyCollection<string>(["a", "b"]))[1]);
            Same(2, Copy(options, new Collection<int> { 1, 2 })[1]);
        }),
        ("value that is made when it is asked for", options => Same("a", Copy(options, new Lazy<string>(() => "a")).Value)),
        ("immutable collections of structs", options =>
        {
            Same(new Money(1, "EUR"), Copy(options, ImmutableList.Create(new Money(1, "EUR")))[0]);
            Same(new Money(1, "EUR"), Copy(options, ImmutableArray.Create(new Money(1, "EUR")))[0]);
        }),
    ];

    private static void Each<T1, T2, T3, T4, T5>(SerializerOptions options, T1 a, T2 b, T3 c, T4 d, T5 e)
    {
        One(options, a);
        One(options, b);
        One(options, c);
        One(options, d);
        One(options, e);
    }

    private static void Each<T1, T2, T3, T4>(SerializerOptions options, T1 a, T2 b, T3 c, T4 d)
    {
        One(options, a);
        One(options, b);
        One(options, c);
        One(options, d);
    }

    private static void Each<T1, T2, T3, T4, T5, T6>(SerializerOptions options, T1 a, T2 b, T3 c, T4 d, T5 e, T6 f)
    {
        Each(options, a, b, c, d, e);
        One(options, f);
    }

    private static void Each<T1, T2, T3, T4, T5, T6, T7, T8, T9>(
        SerializerOptions options, T1 a, T2 b, T3 c, T4 d, T5 e, T6 f, T7 g, T8 h, T9 i)
    {
        Each(options, a, b, c, d, e);
        Each(options, f, g, h, i);
    }

    // By its type, and as an object.
    private static void One<T>(SerializerOptions options, T value)
    {
        Same(value, Copy(options, value));
        Same(value, (T)Copy<object>(options, value!));
    }
}

using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using Shop;
using Wire;

// Objects of the program, and collections of them.
internal static partial class Trips
{
    private static readonly (string Name, Action<SerializerOptions> Run)[] Graphs =
    [
        ("object with members of all kinds", options =>
        {
            Order copy = Copy(options, Order.Example());
            Same("A-1", copy.Number);
            Same(2, copy.Lines.Count);
            Same("pen", copy.Lines[0].Article);
            Same(1.50m, copy.Lines[0].Price);
            Same(new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc), copy.At);
            Same(DateTimeKind.Utc, copy.At.Kind);
            Same(true, copy.IsPaid);
        }),
        ("derived class in a variable of its base class", options =>
        {
            Payment copy = Copy<Payment>(options, new CardPayment { Amount = 5, Card = "4711" });
            Same(typeof(CardPayment), copy.GetType());
            Same("4711", ((CardPayment)copy).Card);
            Same(5m, copy.Amount);
        }),
        ("implementations of an interface", options =>
        {
            List<IEvent> copy = Copy(options, new List<IEvent> { new Placed(1, "Ada"), new Shipped(2, [1, 2]) });
            Same(new Placed(1, "Ada"), (Placed)copy[0]);
            Same(2, ((Shipped)copy[1]).Parcels[1]);
        }),
        ("object without a declared type", options =>
        {
            object copy = Copy<object>(options, new object[] { 1, "two", new Placed(3, "Ada"), 4.5m, Guid.Empty });
            object[] items = (object[])copy;
            Same(1, (int)items[0]);
            Same("two", (string)items[1]);
            Same(3, ((Placed)items[2]).Id);
            Same(4.5m, (decimal)items[3]);
            Same(Guid.Empty, (Guid)items[4]);
        }),
        ("record struct", options => Same(new Money(3, "EUR"), Copy(options, new Money(3, "EUR")))),
        ("private, readonly and init-only fields, which nothing else reads", options =>
        {
            Hidden copy = Copy(options, new Hidden(7, "seven") { Note = "n" });
            Same("7 seven n", copy.ToString());
        }),
        ("members that nothing in the program reads", options =>
        {
            byte[] payload = new Serializer(options).Serialize(new Unread { Text = "kept" });
            Same(true, payload.AsSpan().IndexOf("kept"u8) >= 0);
            Same(true, payload.AsSpan().IndexOf("NeverRead"u8) >= 0);
        }),
        ("private fields of the same name in base and derived class", options =>
        {
            Inner copy = Copy(options, new Inner(1, 2));
            Same("1 2", copy.ToString());
        }),
        ("generic class", options =>
        {
            Box<Box<Money>> copy = Copy(options, new Box<Box<Money>> { Content = new Box<Money> { Content = new Money(1, "USD") } });
            Same(new Money(1, "USD"), copy.Content!.Content);
        }),
        ("dictionaries with keys of the program's own", options =>
        {
            Dictionary<Money, List<string>> copy = Copy(
                options, new Dictionary<Money, List<string>> { [new(1, "EUR")] = ["a"], [new(2, "EUR")] = ["b", "c"] });
            Same("c", copy[new(2, "EUR")][1]);
            Same(2, copy.Count);
        }),
        ("comparer of a dictionary", options =>
        {
            Dictionary<string, int> copy = Copy(options, new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase) { ["A"] = 1 });
            Same(1, copy["a"]);
        }),
        ("sorted, linked, queued and concurrent collections", options =>
        {
            Same("1,2,3", string.Join(',', Copy(options, new SortedSet<int>([3, 1, 2]))));
            Same("b", Copy(options, new SortedDictionary<int, string> { [2] = "b" })[2]);
            Same("1,2", string.Join(',', Copy(options, new LinkedList<int>([1, 2]))));
            Same(1, Copy(options, new Queue<int>([1, 2])).Dequeue());
            Same(2, Copy(options, new Stack<int>([1, 2])).Pop());
            Same("x", Copy(options, new ConcurrentDictionary<int, string> { [1] = "x" })[1]);
            Same("p", Copy(options, new PriorityQueue<string, int>([("p", 1), ("q", 2)])).Dequeue());
        }),
        ("immutable collections", options =>
        {
            Same("1,2", string.Join(',', Copy(options, ImmutableArray.Create(1, 2))));
            Same("a,b", string.Join(',', Copy(options, ImmutableList.Create("a", "b"))));
            Same(2, Copy(options, ImmutableDictionary<string, int>.Empty.Add("two", 2))["two"]);
            Same(true, Copy(options, ImmutableHashSet.Create(new Money(1, "EUR"))).Contains(new Money(1, "EUR")));
            Same(1, Copy(options, ImmutableSortedDictionary<int, Placed>.Empty.Add(1, new Placed(1, "Ada")))[1].Id);
        }),
        ("frozen collections", options =>
        {
            Same(2, Copy(options, new Dictionary<string, int> { ["one"] = 1, ["two"] = 2 }.ToFrozenDictionary())["two"]);
            Same(true, Copy(options, new[] { new Money(1, "EUR") }.ToFrozenSet()).Contains(new Money(1, "EUR")));
        }),
        ("arrays of several dimensions, tuples and nullables", options =>
        {
            Same(4, Copy(options, new[,] { { 1, 2 }, { 3, 4 } })[1, 1]);
            Same((1, "a", (int?)null), Copy(options, (1, "a", (int?)null)));
            Same(Tuple.Create(1, new Money(1, "EUR")), Copy(options, Tuple.Create(1, new Money(1, "EUR"))));
            Same((Money?)new Money(1, "EUR"), Copy<Money?>(options, new Money(1, "EUR")));
        }),
        ("class that derives from a collection", options =>
        {
            Basket copy = Copy(options, new Basket { "pen", "ink" });
            copy.Owner = "Ada";
            copy = Copy(options, copy);
            Same("pen,ink of Ada", $"{string.Join(',', copy)} of {copy.Owner}");
        }),
        ("surrogates, one of them generic", options =>
        {
            SerializerOptions with = options with
            {
                Surrogates =
                [
                    Surrogate.Create<Handle, string>(handle => handle.Name, Handle.Open),
                    Surrogate.Create(typeof(Range<>), typeof(RangeData<>)),
                ],
            };
            Same("door", Copy(with, new Holder { Handle = Handle.Open("door") }).Handle!.Name);
            Same(5, Copy(with, Range<int>.Between(2, 5)).High);
        }),
        ("known types", options =>
        {
            SerializerOptions with = options with { KnownTypes = [new(1, typeof(Placed))] };
            Same(new Placed(1, "Ada"), (Placed)Copy<object>(with, new Placed(1, "Ada")));
        }),
        ("exceptions, one of them the program's own", options =>
        {
            Exception copy = Copy<Exception>(
                options, new ShopException("closed", new ArgumentException("wrong", "day")) { Code = 3 });
            Same(3, ((ShopException)copy).Code);
            Same("closed", copy.Message);
            Same("day", ((ArgumentException)copy.InnerException!).ParamName);
        }),
        ("cycles and shared objects", options =>
        {
            SerializerOptions with = options with { PreserveObjectReferences = true };
            var node = new Node { Name = "n" };
            node.Next = new Node { Name = "m", Next = node };
            Node copy = Copy(with, node);
            Same(true, ReferenceEquals(copy, copy.Next!.Next));
            Same("m", copy.Next.Name);
        }),
        ("enums, by name and as flags", options =>
        {
            SerializerOptions with = options with { EnumsByName = true };
            Same(State.Shipped, Copy(with, new Box<State> { Content = State.Shipped }).Content);
            Same(State.Shipped, (State)Copy<object>(with, State.Shipped));
            Same(Days.Sunday | Days.Monday, Copy(with, Days.Sunday | Days.Monday));
        }),
        ("callbacks", options =>
        {
            Called copy = Copy(options with { UseSerializationCallbacks = true }, new Called { Value = 1 });
            Same("1 done", $"{copy.Value} {copy.State}");
        }),
        ("values of .NET", options =>
        {
            Same(new Uri("https://example.org/a"), Copy(options, new Uri("https://example.org/a")));
            Same(new Version(1, 2), Copy(options, new Version(1, 2)));
            Same(typeof(Placed), Copy(options, typeof(Placed)));
            Same(new System.Numerics.Vector3(1, 2, 3), Copy(options, new System.Numerics.Vector3(1, 2, 3)));
            Same(System.Net.IPAddress.Loopback, Copy(options, System.Net.IPAddress.Loopback));
            Same("de-DE", Copy(options, new System.Globalization.CultureInfo("de-DE")).Name);
            Same(new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(2)), Copy(
                options, new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(2))));
        }),
        ("a copy without bytes, and a comparison", options =>
        {
            var serializer = new Serializer(options);
            Order order = Order.Example();
            Order copy = serializer.Clone(order)!;
            Same(false, ReferenceEquals(order, copy));
            Same(true, new GraphEquality(serializer).AreEqual(order, copy));
        }),
        ("a payload of a class that is refused", options =>
        {
            byte[] payload = new Serializer(options).Serialize<object>(new Placed(1, "Ada"));
            try
            {
                new Serializer(options with { TypeFilter = WireTypeFilter.Default }).Deserialize<object>(payload);
            }
            catch (TypeRefusedException)
            {
                return;
            }

            throw new InvalidOperationException("It was read.");
        }),
    ];
}

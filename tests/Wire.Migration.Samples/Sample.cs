using System.Collections;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.ComponentModel;
using System.Data;
using System.Drawing;
using System.Globalization;
using System.Numerics;
using System.Text;

namespace Wire.Migration.Samples;

/// <summary>A graph that was recorded.</summary>
/// <param name="Name">The name of the file.</param>
/// <param name="Note">What is in it.</param>
/// <param name="Create">Makes it.</param>
public sealed record Sample(string Name, string Note, Func<object> Create)
{
    public static IReadOnlyList<Sample> All { get; } =
    [
        new("Graph", "A customer with orders that lead back, structs, enums, boxed values of all kinds.", Order.Graph),
        new("Generics", "Generic and nested types.", () => new Holder
        {
            Numbers = new(5),
            Levels = new(new() { ["a"] = Level.Low }),
            Lid = new() { Under = "x", Of = new("y") },
            Anything = new Box<Money>.Lid { Under = new(1m, "EUR") },
        }),
        new("Arrays", "Arrays: single, jagged, rectangular, of primitives, structs, enums, interfaces and nulls.", () => new object?[]
        {
            new[] { 1, 2, 3 }, new byte[] { 1, 255 }, new[] { 'a', 'ä', '€' }, new[] { true, false }, new[] { 1.5m, decimal.MaxValue },
            new[] { DateTime.UnixEpoch, DateTime.SpecifyKind(DateTime.MinValue, DateTimeKind.Local) }, new[] { TimeSpan.MinValue },
            new int[][] { [1], [], null! }, new int[,] { { 1, 2, 3 }, { 4, 5, 6 } }, new string?[,] { { "a", null }, { "b", "c" } },
            new Money[,,] { { { new(1m, "A") }, { new(2m, "B") } } }, new Money[] { new(3m, "C"), default },
            new[] { Level.Low, Level.High },
            new IComparable?[] { 1, "a", null, Level.Low }, new int?[] { 5, null }, new Order?[] { new() { Number = 1 }, null },
            new Order[][] { [new() { Number = 2 }] }, Array.Empty<string>(), new int[0, 5], new float[] { float.NaN, -0f }, new long[300],
            new object?[600],
        }),
        new("Scalars", "Values of .NET that are no primitives.", () => new object[]
        {
            Guid.Parse("6f9619ff-8b86-d011-b42d-00c04fc964ff"), new DateTimeOffset(2020, 5, 6, 7, 8, 9, TimeSpan.FromHours(-5)),
            new Version(1, 2), new Version(1, 2, 3), new Version(1, 2, 3, 4), new Uri("http://a/b?c#d"), new Uri("a/b", UriKind.Relative),
            BigInteger.Parse("-123456789012345678901234567890", CultureInfo.InvariantCulture), new BigInteger(7), BigInteger.MinusOne,
            (BigInteger)int.MinValue, new Complex(1.5, -2), new StringBuilder("text", 40), new BitArray(new[] { true, false, true }),
            Color.Red, Color.FromArgb(1, 2, 3), Color.Empty, Color.FromName("mauve-ish"), new Point(1, -2), new RectangleF(1, 2, 3, 4),
            new ArraySegment<int>([1, 2, 3], 1, 2), new EventArgs(), DayOfWeek.Friday, (nint)5, ulong.MaxValue, sbyte.MinValue, 1e-300,
            -0.0,
        }),
        new("Tuples", "Tuples and pairs.", () => new object[]
        {
            Tuple.Create(1, "a"), (1, "a"), (1, 2, 3, 4, 5, 6, 7, 8, "nine"), new KeyValuePair<string, Level>("k", Level.High),
            new DictionaryEntry("k", 5), Tuple.Create(Tuple.Create(1)),
        }),
        new("Lists", "Lists, queues and stacks.", () => new object[]
        {
            new List<int> { 1, 2, 3 }, new List<string?> { "a", null }, new List<Money> { new(1m, "A") }, new List<object>(),
            QueueRound(), new Stack<string>(["a", "b"]), new LinkedList<int>([1, 2]), new LinkedList<string>(),
            new ArrayList { 1, null, "a" }, new Queue(new object[] { 1, "a" }), new Stack(new object[] { 1, "a" }),
            new Collection<int> { 1 }, new ObservableCollection<string> { "a" }, new ReadOnlyCollection<int>([1, 2]),
            new ReadOnlyObservableCollection<int>([7]), new BindingList<int> { 1, 2 }, new StringCollection { "a", "b" },
        }),
        new("Sets", "Dictionaries and sets, with and without comparers.", () => new object[]
        {
            new Dictionary<string, int> { ["a"] = 1, ["b"] = 2 },
            new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase) { ["A"] = 1 },
            new Dictionary<Level, List<int>> { [Level.Low] = [1] }, new Dictionary<int, object?> { [1] = null },
            new Dictionary<long, int>(),
            new Dictionary<Guid, int> { [Guid.Empty] = 1 }, new Dictionary<Key, int> { [new(1)] = 1, [new(2)] = 2 },
            new Dictionary<string, int>(new ByLength()) { ["abc"] = 3 }, new HashSet<int> { 3, 1, 2 },
            new HashSet<string>(StringComparer.InvariantCultureIgnoreCase) { "x" }, new HashSet<int?> { 5, null },
            new SortedSet<string>(new ByLength()) { "a", "bb" }, new SortedSet<int> { 2, 1 },
            new SortedDictionary<string, int> { ["b"] = 2, ["a"] = 1 },
            new SortedDictionary<string, int>(StringComparer.Ordinal) { ["b"] = 2, ["B"] = 1 },
            new SortedList<string, int> { ["b"] = 2, ["a"] = 1 }, new SortedList<int, string>(Comparer<int>.Default) { [1] = "a" },
            new Hashtable { ["a"] = 1, [2] = "b" }, new Hashtable(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 },
            new SortedList(Comparer.DefaultInvariant) { ["b"] = 2, ["a"] = 1 }, new ListDictionary { ["a"] = 1, ["b"] = null },
            new HybridDictionary { ["a"] = 1 }, new HybridDictionary(caseInsensitive: true) { ["a"] = 1 }, LargeHybrid(),
            new OrderedDictionary { ["b"] = 1, ["a"] = 2 }, new StringDictionary { ["A"] = "1" },
        }),
        new("DerivedCollections", "Classes of the program that derive from collections.", () => new object[]
        {
            new Names { "a", "b" }, new Prices { ["A"] = 1 }, new Orders { new Order { Number = 7 } },
        }),
        new("Cycles", "Collections that contain themselves, by way of others.", Cycles),
        new("SelfWritten", "ISerializable, in a circle, and an IObjectReference.", SelfWrittenGraph),
        new("Callbacks", "A class with all callbacks.", () => new Cached()),
        new("Copying", "Classes that write themselves, and copy collections when they are read.", () => Copied.All),
        new("LateKeys", "Keys that compute what they compare after they are read.", () => new object[]
        {
            new Dictionary<LateKey, int> { [new("a")] = 1, [new("b")] = 2 }, new HashSet<LateKey> { new("a"), new("b") },
            new Hashtable { [new LateKey("a")] = 1, [new LateKey("b")] = 2 }, new SortedSet<LateKey> { new("a"), new("b") },
            Selfish.Create(),
        }),
        new("Circular", "A class that writes itself, with a table whose keys lead back to it.", () => new Circular()),
        new("Exceptions", "Exceptions of .NET and of the program.", () => new Exception[]
        {
            OrderException.Thrown(), new AggregateException("several", new FormatException("a"), new KeyNotFoundException()),
            new FileNotFoundException("gone", "a.txt"),
        }),
        new("DataTable", "A table with all states of rows, and null, empty and odd texts.", TableOfData),
        new("DataSet", "Two tables with a relation and a constraint.", SetOfData),
        new("Text", "A text alone.", () => "old"),
        new("Number", "A number alone.", () => 42),
        new("Enum", "An enum alone.", () => Level.High),
        new("Classic", "Classes named and made as CollectionBase and DictionaryBase of .NET Framework: today's do not let themselves be "
            + "written.", () => new object[] { new Former.Numbers(), new Former.Table() }),
        new("Named", "Classes that payloads of Wire know by other names, alone and as arguments.", () => new object[]
        {
            new Named { Number = 1 }, new List<Named> { new() { Number = 2 } }, new Named[] { new() { Number = 3 } },
        }),
        new("Framework", "Classes named and made as those of .NET Framework that today's BinaryFormatter does not write.",
            () => Former.Framework.All),
        new("Former", "An earlier version of a class.", () => new Former.Article()),
        new("Shelf", "Collections that have become others.", () => new Former.Shelf()),
    ];

    private static Queue<int> QueueRound()
    {
        var queue = new Queue<int>([1, 2, 3, 4]);
        queue.Dequeue();
        queue.Dequeue();
        queue.Enqueue(5);
        return queue;
    }

    private static HybridDictionary LargeHybrid()
    {
        var large = new HybridDictionary();
        for (int i = 0; i < 12; i++)
        {
            large.Add(i, $"{i}");
        }

        return large;
    }

    private static object[] Cycles()
    {
        var list = new List<object>();
        list.Add(list);
        var shared = new Order { Number = 9 };
        var table = new Hashtable();
        table["self"] = table;
        table["shared"] = shared;
        var byObject = new Dictionary<object, object>();
        byObject[shared] = byObject;
        object[] all = [list, shared, table, byObject, null!];
        all[4] = all;
        return all;
    }

    private static object[] SelfWrittenGraph()
    {
        var one = new Account("one", 1.5m);
        one.Back = new Account("two", 2m) { Back = one };
        return [one, Currency.Euro, Currency.Dollar];
    }

    private static DataTable TableOfData()
    {
        var table = new DataTable("orders") { Locale = CultureInfo.InvariantCulture };
        DataColumn id = table.Columns.Add("id", typeof(int));
        id.AutoIncrement = true;
        table.Columns.Add("text", typeof(string)).MaxLength = 40;
        table.Columns.Add("when", typeof(DateTime)).DateTimeMode = DataSetDateTime.Utc;
        table.Columns.Add("price", typeof(decimal)).AllowDBNull = false;
        table.Columns.Add("bytes", typeof(byte[]));
        table.Columns.Add("twice", typeof(decimal), "price * 2");
        table.Columns.Add("guid", typeof(Guid));
        table.PrimaryKey = [id];
        DateTime when = new(2020, 1, 2, 3, 4, 5, DateTimeKind.Utc);
        table.Rows.Add(1, "first", when, 1.5m, new byte[] { 1, 2 }, null, Guid.Empty);
        table.Rows.Add(2, "", when.AddTicks(7), 2m, null, null, null);
        table.Rows.Add(3, null, null, 3m, Array.Empty<byte>());
        table.Rows.Add(4, " <ä&> ", null, 4m);
        table.AcceptChanges();
        table.Rows[0]["text"] = "changed";
        table.Rows[1].Delete();
        table.Rows.Add(5, "new", null, 5m);
        table.Rows[2].RowError = "wrong";
        return table;
    }

    private static DataSet SetOfData()
    {
        var set = new DataSet("shop") { Locale = CultureInfo.InvariantCulture };
        DataTable customers = set.Tables.Add("customers");
        customers.Columns.Add("id", typeof(int));
        customers.Columns.Add("name", typeof(string));
        customers.Constraints.Add("unique name", customers.Columns[1], primaryKey: false);
        DataTable orders = set.Tables.Add("orders");
        orders.Columns.Add("customer", typeof(int));
        orders.Columns.Add("total", typeof(double));
        set.Relations.Add("theirs", customers.Columns[0], orders.Columns[0]);
        customers.Rows.Add(1, "Ada");
        customers.Rows.Add(2, "Bob");
        orders.Rows.Add(1, 0.1);
        set.AcceptChanges();
        orders.Rows.Add(2, double.MaxValue);
        return set;
    }
}

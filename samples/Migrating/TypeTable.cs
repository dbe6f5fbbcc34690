using System.Collections;
using System.Collections.Concurrent;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.ComponentModel;
using System.Data;
using System.Drawing;
using System.Globalization;
using System.Net;
using System.Net.Mail;
using System.Net.Sockets;
using System.Numerics;
using System.Reflection;
using System.Runtime.Serialization;
using System.Security;
using System.Security.Claims;
using System.Security.Principal;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml;
using System.Xml.Linq;
using Wire;

// BinaryFormatter's interfaces and constructors are what this is about.
#pragma warning disable SYSLIB0050, SYSLIB0051

namespace Shop;

/// <summary>The table of docs/migrating.md: types that people had in BinaryFormatter's graphs, each written and read.</summary>
internal static class TypeTable
{
    private const string AsIs = "as it is";
    private const string Refused = "refused";

    private static readonly SerializerOptions Plain = new() { TypeFilter = WireTypeFilter.Default.AllowAssembly(typeof(Order).Assembly) };

    private static readonly Dictionary<string, SerializerOptions> Switches = new()
    {
        ["PreserveObjectReferences"] = Plain with { PreserveObjectReferences = true },
        ["AllowDelegates"] = Plain with { AllowDelegates = true },
        ["AllowMemberInfos"] = Plain with { AllowMemberInfos = true, TypeFilter = Plain.TypeFilter.Allow<string>() },
        ["UseSerializable"] = Plain with { UseSerializable = true },
        ["UseSerializationCallbacks"] = Plain with { UseSerializationCallbacks = true },
        ["Singletons"] = Plain with { Singletons = [OnlyOne.Instance] },
        ["Surrogates"] = Plain with { Surrogates = [.. FrameworkSurrogates.All] },
    };

    private static readonly Case[] Cases =
    [
        new("numbers, bool, char, string", AsIs, () => new object[] { 1, 2L, 3.0, 4m, true, 'x', "text", (byte)5 }),
        new(
            "DateTime with its kind",
            AsIs,
            () => new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc),
            back => back is DateTime { Kind: DateTimeKind.Utc }),
        new(
            "DateTimeOffset, TimeSpan, Guid, Uri, Version",
            AsIs,
            () => new object[] { DateTimeOffset.UnixEpoch, TimeSpan.FromDays(1), Guid.Empty, new Uri("http://a/b"), new Version(1, 2) }),
        new("BigInteger, Complex", AsIs, () => new object[] { BigInteger.Pow(2, 100), new Complex(1, 2) }),
        new("enum, Nullable, boxed values", AsIs, () => new object?[] { DayOfWeek.Friday, (int?)7, null }),
        new("DBNull", AsIs, () => DBNull.Value, back => ReferenceEquals(back, DBNull.Value)),
        new(
            "arrays: of several dimensions, jagged, from another lower bound",
            AsIs,
            () => Array.CreateInstance(typeof(int), [2, 3], [1, 5]),
            back => back is Array { Rank: 2 } array && array.GetLowerBound(1) == 5),
        new(
            "Tuple, ValueTuple, KeyValuePair",
            AsIs,
            () => new object[] { Tuple.Create(1, "a"), (1, "a"), new KeyValuePair<int, string>(1, "a") }),
        new(
            "class or struct of yours, with private and readonly fields of its bases",
            AsIs,
            () => new Child(3),
            back => back is Child { Sum: 6 }),
        new("record, init-only members", AsIs, () => new Person("Ada", 36)),
        new("List, HashSet, LinkedList, Queue<T>, Stack<T>", AsIs, () => new object[]
        {
            new List<int> { 1 },
            new HashSet<int> { 1 },
            new LinkedList<int>([1]),
            new Queue<int>([1]),
            new Stack<int>([1]),
        }),
        new(
            "Dictionary with a comparer",
            AsIs,
            () => new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 },
            back => back is Dictionary<string, int> map && map["A"] == 1),
        new("SortedDictionary, SortedSet, SortedList<K,V>", AsIs, () =>
            new object[] { new SortedDictionary<int, int> { [1] = 2 }, new SortedSet<int> { 1 }, new SortedList<int, int> { [1] = 2 } }),
        new(
            "ObservableCollection, ReadOnlyCollection, Collection",
            AsIs,
            () => new object[] { new ObservableCollection<int> { 1 }, new ReadOnlyCollection<int>([1]), new Collection<int> { 1 } }),
        new("ArrayList, Hashtable, SortedList, Queue, Stack, BitArray", AsIs, () => new object[]
        {
            new ArrayList { 1, "a" },
            new Hashtable { ["a"] = 1 },
            new SortedList { ["a"] = 1 },
            new Queue(new[] { 1 }),
            new Stack(new[] { 1 }),
            new BitArray(3, true),
        }),
        new("NameValueCollection, StringCollection, StringDictionary, ListDictionary, HybridDictionary", AsIs, () => new object[]
        {
            new NameValueCollection { ["a"] = "b" },
            new StringCollection { "a" },
            new StringDictionary { ["a"] = "b" },
            new ListDictionary { ["a"] = 1 },
            new HybridDictionary { ["a"] = 1 },
        }),
        new(
            "CultureInfo, StringComparer, Encoding, TimeZoneInfo",
            AsIs,
            () => new object[] { new CultureInfo("de-DE"), StringComparer.OrdinalIgnoreCase, Encoding.UTF8, TimeZoneInfo.Utc }),
        new(
            "StringBuilder, Regex, IPAddress, MemoryStream",
            AsIs,
            () => new object[] { new StringBuilder("a"), new Regex("a+"), IPAddress.Parse("10.0.0.1"), new MemoryStream([1]) }),
        new(
            "Exception, of .NET and of yours",
            AsIs,
            () => new OrderException("late", 7, new InvalidOperationException("inner")),
            back => back is OrderException { Number: 7, InnerException: InvalidOperationException }),
        new("classes of yours that derive from Dictionary, CollectionBase, KeyedCollection", AsIs, () => new object[]
        {
            new Prices { ["a"] = 1 },
            new Numbers { 1 },
            new Names { "a" },
        }),
        new("BindingList, OrderedDictionary, ConcurrentDictionary", AsIs, () => new object[]
        {
            new BindingList<int> { 1 },
            new OrderedDictionary { ["a"] = 1 },
            new ConcurrentDictionary<int, int> { [1] = 2 },
        }),
        new("NumberFormatInfo, DateTimeFormatInfo, CompareInfo, TextInfo, RegionInfo", AsIs, () => new object[]
        {
            NumberFormatInfo.InvariantInfo,
            DateTimeFormatInfo.InvariantInfo,
            CultureInfo.InvariantCulture.CompareInfo,
            CultureInfo.InvariantCulture.TextInfo,
            new RegionInfo("DE"),
        }),
        new("Point, Size, Rectangle, Color", AsIs, () =>
            new object[] { new Point(1, 2), new Size(1, 2), new Rectangle(1, 2, 3, 4), Color.Red }),
        new("IPEndPoint, Cookie, MailAddress", AsIs, () =>
            new object[] { new IPEndPoint(IPAddress.Loopback, 5), new Cookie("a", "b"), new MailAddress("ada@example.com") }),
        new("XDocument, XElement", AsIs, () => new object[] { XDocument.Parse("<a />"), XElement.Parse("<b />") }),
        new("Lazy", AsIs, () => new Lazy<int>(() => 5), back => back is Lazy<int> { Value: 5 }),
        new("object as a lock", AsIs, () => new object()),
        new("iterator, query of LINQ", AsIs, () => new[] { 1, 2 }.Where(number => number > 1), back => back is List<int> { Count: 1 }),
        new(
            "event with [field: NonSerialized] and a listener",
            AsIs,
            Watched.WithListener,
            back => back is Watched { HasListener: false }),
        new("[OptionalField]", AsIs, () => new Grown { Old = 1 }, back => back is Grown { Old: 1, Added: 0 }),
        new("Type", AsIs, () => typeof(Order), back => ReferenceEquals(back, typeof(Order))),
        new(
            "field with [NonSerialized]",
            AsIs,
            () => new Order { Number = 1, IsShown = true },
            back => back is Order { Number: 1, IsShown: false }),
        new(
            "object graph with cycles or shared objects",
            "PreserveObjectReferences",
            () => Node.Circle(),
            back => back is Node node && ReferenceEquals(node, node.Next!.Next)),
        new(
            "delegate, event with listeners",
            "AllowDelegates",
            () => (Func<int, int>)Child.Twice,
            back => back is Func<int, int> twice && twice(4) == 8),
        new(
            "MethodInfo, FieldInfo and other members",
            "AllowMemberInfos",
            () => typeof(string).GetMethod(nameof(string.Trim), [])!,
            back => back is MethodInfo { Name: "Trim" }),
        new(
            "ISerializable of yours, by its constructor",
            "UseSerializable",
            () => new Money(5, "EUR"),
            back => back is Money { Text: "5 EUR" }),
        new(
            "[OnDeserialized] and the other callbacks",
            "UseSerializationCallbacks",
            () => new Cached("ada"),
            back => back is Cached { Upper: "ADA" }),
        new("singleton with IObjectReference", "Singletons", () => OnlyOne.Instance, back => ReferenceEquals(back, OnlyOne.Instance)),
        new("DataTable, DataSet", "Surrogates", Table, back => back is DataTable { Rows.Count: 1 }),
        new(
            "XmlDocument, X509Certificate2, claims, GenericPrincipal, CookieCollection, CookieContainer, FileInfo, DirectoryInfo",
            "Surrogates",
            () => new FileInfo("a"),
            back => back is XmlDocument or ClaimsPrincipal or GenericIdentity or CookieCollection or CookieContainer or FileSystemInfo)
        {
            Others =
            [
                () => new XmlDocument(), () => new ClaimsPrincipal(), () => new CookieCollection(), () => new CookieContainer(),
                () => new GenericIdentity("ada"), () => new GenericPrincipal(new GenericIdentity("ada"), ["admin"]),
                () => new DirectoryInfo("a"),
            ],
        },
        new("FileStream, BufferedStream, StringWriter, Socket", Refused, () => new BufferedStream(new MemoryStream()))
        {
            Others =
            [
                () => new FileStream(Environment.ProcessPath!, FileMode.Open, FileAccess.Read),
                () => new StringWriter(CultureInfo.InvariantCulture),
                () => new Socket(SocketType.Stream, ProtocolType.Tcp),
            ],
        },
        new("Thread, Task, Timer, Mutex, SemaphoreSlim, CancellationTokenSource", Refused, () => Task.CompletedTask)
        {
            Others =
            [
                () => Thread.CurrentThread,
                () => new Timer(_ => { }),
                () => new Mutex(),
                () => new SemaphoreSlim(1),
                () => new CancellationTokenSource(),
            ],
        },
        new("WeakReference", AsIs, () => new WeakReference("a"), back => back is WeakReference { Target: "a" }),
        new("SecureString, NetworkCredential", Refused, () => new SecureString()) { Others = [() => new NetworkCredential()] },
        new("Assembly, Module", Refused, () => typeof(Order).Assembly) { Others = [() => typeof(Order).Module] },
        new("AppDomain", Refused, () => AppDomain.CurrentDomain),
        new(
            "ArrayList.Synchronized, ArrayList.ReadOnly, Hashtable.Synchronized",
            AsIs,
            () => ArrayList.Synchronized(new ArrayList { 1 }),
            back => back is ArrayList { IsSynchronized: true } or ArrayList { IsReadOnly: true } or Hashtable { IsSynchronized: true })
        {
            Others = [() => ArrayList.ReadOnly([]), () => Hashtable.Synchronized([])],
        },
        new("ArrayList.GetRange, OrderedDictionary.AsReadOnly", Refused, () => new ArrayList { 1 }.GetRange(0, 1))
        {
            Others = [() => new OrderedDictionary().AsReadOnly()],
        },
        new("Calendar, Random", Refused, () => new GregorianCalendar()) { Others = [() => new Random(1)] },
        new("DataView, DataRow", Refused, () => new DataView(Table()))
        {
            Others = [() => Table().Rows[0]],
        },
        new("classes of yours that derive from Component, ReadOnlyCollectionBase, NameObjectCollectionBase", Refused, () => new Part())
        {
            Others = [() => new Sealed(), () => new Keyed()],
        },
        new("IntPtr, as a number", AsIs, () => (nint)5),
    ];

    /// <summary>Writes and reads each, and returns whether all behave as the table says.</summary>
    public static bool Check()
    {
        bool isRight = true;
        foreach (Case each in Cases)
        {
            string actual = Outcome(each);
            isRight &= actual == each.Expected;
            Console.WriteLine($"  {each.Name,-88} {actual}{(actual == each.Expected ? "" : $", and not {each.Expected}")}");
        }

        return isRight;
    }

    private static string Outcome(Case each)
    {
        bool[] plain = [.. each.Makes.Select(make => Works(each, make, Plain))];
        return plain.All(works => works) ? AsIs
            : plain.Any(works => works) ? "not all alike"
            : Switches.TryGetValue(each.Expected, out SerializerOptions? options) && each.Makes.All(make => Works(each, make, options))
                ? each.Expected
            : Refused;
    }

    private static bool Works(Case each, Func<object> make, SerializerOptions options)
    {
        object value = make();
        try
        {
            object? back = new Serializer(options).Deserialize<object>(new Serializer(options).Serialize(value));
            return each.Check?.Invoke(back!) ?? Same(value, back);
        }
        catch (Exception e) when (e is UnsupportedTypeException or ObjectGraphException or WireFormatException)
        {
            return false;
        }
        finally
        {
            (value as IDisposable)?.Dispose();
        }
    }

    // By type, and by elements or text: tests/Wire.Tests compares every type strictly.
    private static bool Same(object? one, object? other) => one?.GetType() == other?.GetType() && (one is IEnumerable and not string
        ? ((IEnumerable)one).Cast<object?>().Zip(((IEnumerable)other!).Cast<object?>()).All(pair => Same(pair.First, pair.Second))
        : $"{one}" == $"{other}");

    private static DataTable Table()
    {
        var table = new DataTable("orders");
        table.Columns.Add("number", typeof(int));
        table.Rows.Add(17);
        return table;
    }

    private sealed record Case(string Name, string Expected, Func<object> Make, Func<object, bool>? Check = null)
    {
        public Func<object>[] Others { get; init; } = [];

        public IEnumerable<Func<object>> Makes => [Make, .. Others];
    }
}

#pragma warning restore SYSLIB0050, SYSLIB0051

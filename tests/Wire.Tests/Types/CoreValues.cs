using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.ComponentModel;
using System.Data;
using System.Data.SqlTypes;
using System.Diagnostics;
using System.Drawing;
using System.Globalization;
using System.Net;
using System.Net.Mail;
using System.Net.Mime;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using System.Security;
using System.Security.Claims;
using System.Security.Principal;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml;
using System.Xml.Linq;

// BinaryFormatter's programs have them.
#pragma warning disable SYSLIB0050
#pragma warning disable CS0618

namespace Wire.Tests.Types;

/// <summary>
/// Values of the types that programs with BinaryFormatter could write: those that Wire writes, and those that it refuses, by the names
/// under which docs/types.md says why.
/// </summary>
internal static class CoreValues
{
    public static IEnumerable<object> Kept =>
    [
        .. Scalars, .. Texts, .. Arrays, .. Collections, .. OldCollections, .. Views, .. Cultures, .. Network, .. Sql, .. Replaced,
        .. Exceptions,
    ];

    public static Dictionary<string, Func<object>[]> Refused { get; } = new()
    {
        ["StreamingContext"] = [() => new StreamingContext(StreamingContextStates.All)],
        ["SerializationInfo"] = [() => new SerializationInfo(typeof(int), new FormatterConverter())],
        ["FormatterConverter"] = [() => new FormatterConverter()],
        ["ObjectIDGenerator"] = [() => new ObjectIDGenerator()],
        ["SecurityElement"] = [() => new SecurityElement("a")],
        ["Calendar"] = [() => new GregorianCalendar(), () => new JapaneseCalendar(), () => new HebrewCalendar()],
        ["Random"] = [() => new Random(1), () => new Random(), () => Random.Shared],
        ["Assembly"] = [() => typeof(int).Assembly],
        ["Module"] = [() => typeof(int).Module],
        ["AppDomain"] = [() => AppDomain.CurrentDomain],
        ["NetworkCredential"] = [() => new NetworkCredential("a", "b"), () => CredentialCache.DefaultCredentials],
        ["CredentialCache"] = [() => new CredentialCache()],
        ["SecureString"] = [() => new SecureString()],
        ["ListSortDescription"] = [() => new ListSortDescription(Property, ListSortDirection.Ascending)],
        ["ListSortDescriptionCollection"] = [() => new ListSortDescriptionCollection()],
        ["PropertyDescriptor"] = [() => Property],
        ["Attribute"] = [() => new ObsoleteAttribute("a"), () => new AttributeUsageAttribute(AttributeTargets.All)],
        ["EncoderFallback"] = [() => EncoderFallback.ReplacementFallback, () => new EncoderReplacementFallback("?")],
        ["DecoderFallback"] = [() => DecoderFallback.ExceptionFallback, () => new DecoderReplacementFallback("?")],
        ["Encoder"] = [() => Encoding.UTF8.GetEncoder()],
        ["Decoder"] = [() => Encoding.UTF8.GetDecoder()],
        ["DataView"] = [() => new DataView(Table())],
        ["DataRow"] = [() => Table().Rows[0]],
        ["WebHeaderCollection"] = [() => new WebHeaderCollection()],
        ["WebProxy"] = [() => new WebProxy("http://a")],
        ["IHashCodeProvider"] = [() => OldCase, () => new Hashtable((IHashCodeProvider)OldCase, Comparer.Default)],
        ["RuntimeTypeHandle"] = [() => typeof(int).TypeHandle],
        ["RuntimeMethodHandle"] = [() => typeof(int).GetMethods()[0].MethodHandle],
        ["RuntimeFieldHandle"] = [() => typeof(string).GetField(nameof(string.Empty))!.FieldHandle],
        ["BitVector32.Section"] = [() => BitVector32.CreateSection(5)],
        ["StringInfo"] = [() => new StringInfo("a")],
        ["IdnMapping"] = [() => new IdnMapping()],
        ["StrongBox<T>"] = [() => new StrongBox<int>(1)],
        ["Stopwatch"] = [() => new Stopwatch()],
        ["Progress<T>"] = [() => new Progress<int>()],
        ["ContentType"] = [() => new ContentType("a/b")],
        ["ContentDisposition"] = [() => new ContentDisposition("inline")],
        ["MailMessage"] = [() => new MailMessage("a@b.c", "d@e.f")],
        ["CancelEventArgs"] = [() => new CancelEventArgs()],
        ["ProgressChangedEventArgs"] = [() => new ProgressChangedEventArgs(1, null)],
        ["IEnumerator"] =
        [
            () => new List<int>().GetEnumerator(), () => new HashSet<int>().GetEnumerator(), () => new ArrayList().GetEnumerator(),
            () => "a".GetEnumerator(),
        ],
        ["Vector<T>"] = [() => new Vector<int>(1)],
        ["ImmutableList<T>.Builder"] = [ImmutableList.CreateBuilder<int>, ImmutableDictionary.CreateBuilder<int, int>],
        ["ArrayList.GetRange"] = [() => new ArrayList { 1, 2 }.GetRange(0, 1)],
        ["OrderedDictionary.AsReadOnly"] = [() => new OrderedDictionary().AsReadOnly()],
        ["Comparer<T>.Create"] = [() => Comparer<int>.Create((x, y) => y - x)],
        ["Stream"] = [() => Stream.Null, () => new BufferedStream(new MemoryStream())],
        ["TextReader"] = [() => new StringReader("a")],
        ["TextWriter"] = [() => new StringWriter(CultureInfo.InvariantCulture)],
        ["Task"] = [() => Task.CompletedTask, () => Task.FromResult(1)],
        ["Thread"] = [() => Thread.CurrentThread],
        ["Timer"] = [() => new Timer(_ => { }), () => new System.Timers.Timer()],
        ["WaitHandle"] =
        [
            () => new Mutex(), () => new ManualResetEvent(false), () => new EventWaitHandle(false, EventResetMode.AutoReset),
        ],
        ["CancellationTokenSource"] = [() => new CancellationTokenSource(), () => new CancellationTokenSource().Token],
        ["NameTable"] = [() => new NameTable()],
    };

    private static PropertyDescriptor Property => TypeDescriptor.GetProperties(typeof(Uri))[0];

    private static CaseInsensitiveHashCodeProvider OldCase => new(CultureInfo.InvariantCulture);

    private static IEnumerable<object> Scalars =>
    [
        true, (sbyte)-1, byte.MaxValue, short.MinValue, ushort.MaxValue, -1, uint.MaxValue, long.MinValue, ulong.MaxValue, (nint)5,
        (nuint)6, Int128.MinValue, UInt128.MaxValue, Half.Epsilon, float.NaN, -0.0, 1.00m, 'x', new Rune('y'), Guid.Empty,
        DateTime.UnixEpoch, new DateTime(5, DateTimeKind.Local), DateTimeOffset.MaxValue, TimeSpan.MinValue, new DateOnly(2, 3, 4),
        TimeOnly.MaxValue, new Complex(1, -0.0), BigInteger.Pow(10, 50), DayOfWeek.Friday, (AttributeTargets)(-1),
        DBNull.Value, Missing.Value,
        new object(), EventArgs.Empty, typeof(List<>), typeof(int[]), new Version(1, 2), new Version(1, 2, 3, 4), new Index(1, true), 1..^2,
        new OperatingSystem(PlatformID.Unix, new(1, 2)), new WeakReference(typeof(int)), new WeakReference<string>(""),
        new Lazy<int>(5), Tuple.Create(1, "a"), Tuple.Create(1, 2, 3, 4, 5, 6, 7, 8), (1, "a"), (1, 2, 3, 4, 5, 6, 7, 8, 9),
        default(ValueTuple),
        KeyValuePair.Create("a", 1), new DictionaryEntry("a", 1), new ArraySegment<int>([1, 2, 3], 1, 1), new BitVector32(5),
        new Vector3(1, 2, 3), Matrix4x4.Identity, Quaternion.Identity, Color.Red, Color.FromArgb(1, 2, 3), new Point(1, 2),
        new PointF(1, 2),
        new Rectangle(1, 2, 3, 4), new RectangleF(1, 2, 3, 4), new Size(1, 2), new SizeF(1, 2),
        TimeZoneInfo.Utc, TimeZoneInfo.Local, TimeZoneInfo.CreateCustomTimeZone("a", TimeSpan.FromHours(1), "b", "c"),
        TimeZoneInfo.TransitionTime.CreateFixedDateRule(new(1, 1, 1, 2, 0, 0), 3, 4),
    ];

    private static IEnumerable<object> Texts =>
    [
        "", "a\0\uD800", new StringBuilder("a", 20), new Uri("http://a/b?c#d"), new Uri("a/b", UriKind.Relative),
        new UriBuilder("http://a:5/b"),
        new Regex("a+(?<n>b)", RegexOptions.IgnoreCase), Encoding.UTF8, new UTF8Encoding(false, true),
        new UnicodeEncoding(true, false), Encoding.ASCII,
        Encoding.Latin1, new XElement("a", new XAttribute("b", "c"), "d"), XDocument.Parse("<a>b</a>"), XName.Get("a", "b"),
        new AssemblyName("a, Version=1.2.3.4"), new MemoryStream([1, 2, 3]),
    ];

    private static IEnumerable<object> Arrays =>
    [
        Array.Empty<object>(), new[] { 1, 2 }, new byte[] { 3 }, new bool[] { true }, new[] { "a", null }, new object?[] { 1, "a", null },
        new[] { new[] { 1 }, null }, new[,] { { 1, 2 }, { 3, 4 } }, new string[1, 2, 3], Array.CreateInstance(typeof(int), [2], [5]),
        new[] { DayOfWeek.Monday }, new int?[] { 1, null }, new[] { DateTime.MinValue }, new[] { 1.5m }, new char[] { 'x' },
        new BitArray([true, false, true]), new Guid[] { Guid.Empty }, new[] { TimeSpan.Zero }, new[] { typeof(int), null },
    ];

    private static IEnumerable<object> Collections =>
    [
        new List<int> { 1 }, new List<object?> { 1, "a", null },
        new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 },
        new HashSet<string>(StringComparer.OrdinalIgnoreCase) { "a" }, new SortedDictionary<int, string> { [1] = "a" },
        new SortedList<int, string> { [1] = "a" }, new SortedSet<int> { 2, 1 }, new Queue<int>([1]), new Stack<int>([1, 2]),
        new LinkedList<int>([1, 2]), new LinkedListNode<int>(1), new LinkedList<int>([1, 2]).Last!, new Collection<int> { 1 },
        new ObservableCollection<int> { 1 }, new ReadOnlyCollection<int>([1]), new ReadOnlyObservableCollection<int>([1]),
        new ReadOnlyDictionary<int, int>(new Dictionary<int, int> { [1] = 2 }), new BindingList<int> { 1 },
        new ConcurrentDictionary<int, int>([new(1, 2)]), new ConcurrentQueue<int>([1]), new ConcurrentStack<int>([1]),
        new ConcurrentBag<int>([1]), ImmutableArray.Create(1), ImmutableList.Create(1), Comparer<int>.Default, Comparer<string>.Default,
        EqualityComparer<int>.Default, EqualityComparer<string>.Default, HashSet<int>.CreateSetComparer(), StringComparer.Ordinal,
        StringComparer.InvariantCultureIgnoreCase, new PriorityQueue<int, int>([(1, 2)]),
    ];

    private static IEnumerable<object> OldCollections =>
    [
        new ArrayList { 1, "a", null }, new Hashtable { [1] = "a" }, new Hashtable(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 },
        new Queue(new object[] { 1, "a" }), new Stack(new object[] { 1, "a" }), new SortedList { [1] = "a" }, new StringCollection { "a" },
        new StringDictionary { ["a"] = "b" }, new NameValueCollection { ["a"] = "b" }, new HybridDictionary { ["a"] = 1 },
        new ListDictionary { ["a"] = 1 }, new OrderedDictionary { ["a"] = 1 }, new PropertyCollection { ["a"] = 1 },
        Comparer.DefaultInvariant, new Comparer(new CultureInfo("tr-TR")), CaseInsensitiveComparer.DefaultInvariant,
    ];

    private static IEnumerable<object> Views =>
    [
        ArrayList.Synchronized(new ArrayList { 1 }), ArrayList.ReadOnly(new ArrayList { 1 }), ArrayList.FixedSize(new ArrayList { 1 }),
        ArrayList.Adapter(new[] { 1 }), ArrayList.Synchronized((IList)new[] { 1 }), ArrayList.ReadOnly((IList)new[] { 1 }),
        ArrayList.FixedSize((IList)new[] { 1 }), Hashtable.Synchronized(new() { [1] = 2 }), Queue.Synchronized(new(new[] { 1 })),
        Stack.Synchronized(new(new[] { 1 })), SortedList.Synchronized(new() { [1] = 2 }),
    ];

    private static IEnumerable<object> Cultures =>
    [
        CultureInfo.InvariantCulture, new CultureInfo("de-DE"), CultureInfo.InvariantCulture.CompareInfo, new CultureInfo("tr-TR").TextInfo,
        new RegionInfo("SE"), new NumberFormatInfo { CurrencySymbol = "x" }, new DateTimeFormatInfo { DateSeparator = "x" },
        new SortVersion(1, Guid.Empty),
    ];

    private static IEnumerable<object> Network =>
    [
        IPAddress.Parse("10.0.0.1"), IPAddress.Parse("fe80::1%5"), new IPEndPoint(IPAddress.Parse("10.0.0.1"), 80),
        new DnsEndPoint("a", 80),
        new Cookie("a", "b"), new MailAddress("a@b.c", "d"), new System.Net.NetworkInformation.PhysicalAddress([1, 2, 3, 4, 5, 6]),
        HttpMethod.Get,
    ];

    private static IEnumerable<object> Sql =>
    [
        SqlBinary.Null, new SqlBinary([1]), SqlBoolean.True, new SqlByte(1), new SqlBytes([1]), new SqlChars(['a']),
        new SqlDateTime(2000, 1, 2), new SqlDecimal(1.5m), new SqlDouble(1.5), new SqlGuid(Guid.Empty), new SqlInt16(1), new SqlInt32(2),
        SqlInt32.Null, new SqlInt64(3), new SqlMoney(4), new SqlSingle(5), new SqlString("a"), SqlString.Null, SqlXml.Null,
    ];

    // With FrameworkSurrogates.
    private static IEnumerable<object> Replaced =>
    [
        Table(), new DataSet("s") { Tables = { Table() } }, Document(), new XmlQualifiedName("a", "b"), new Claim("a", "b"),
        new ClaimsIdentity([new Claim("a", "b")], "c"), new ClaimsPrincipal(new ClaimsIdentity("c")), new GenericIdentity("a", "b"),
        new GenericPrincipal(new GenericIdentity("a"), ["b"]), new CookieCollection { new Cookie("a", "b") }, Container(),
        new FileInfo("a"), new DirectoryInfo("a"), new PropertyChangedEventArgs("a"), new PropertyChangingEventArgs("a"),
    ];

    private static IEnumerable<object> Exceptions =>
        from type in new[] { typeof(Exception), typeof(Uri), typeof(DataException), typeof(XmlException), typeof(SqlNullValueException) }
            .SelectMany(type => type.Assembly.GetExportedTypes())
        where type.IsSubclassOf(typeof(Exception)) && !type.IsAbstract && type.GetConstructor([typeof(string)]) is not null
        orderby type.FullName
        select Activator.CreateInstance(type, "text")!;

    private static DataTable Table()
    {
        var table = new DataTable("t");
        table.Columns.Add("n", typeof(int));
        table.Rows.Add(1);
        return table;
    }

    private static XmlDocument Document()
    {
        var document = new XmlDocument();
        document.LoadXml("<a b=\"c\">d</a>");
        return document;
    }

    private static CookieContainer Container()
    {
        var container = new CookieContainer();
        container.Add(new Cookie("a", "b", "/", "x.org"));
        return container;
    }
}

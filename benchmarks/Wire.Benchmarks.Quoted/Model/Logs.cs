using System.Globalization;
using MemoryPack;
using MessagePack;
using Orleans;
using PolyType;
using Index = Nerdbank.MessagePack.KeyAttribute;

namespace Bench.Quoted;

/// <summary>The log of a web server: the data set <c>log</c> of rust_serialization_benchmark, in what its entries are made of.</summary>
[MemoryPackable, MessagePackObject, GenerateSerializer, GenerateShape]
public partial class Logs
{
    [Key(0), Index(0), Id(0)]
    public List<Log> Entries { get; set; } = null!;

    internal static Logs Create(int count)
    {
        var random = new Random(1);
        return new Logs { Entries = [.. Enumerable.Range(0, count).Select(_ => Log.Create(random))] };
    }
}

/// <summary>A request to a web server, and what came of it.</summary>
[MemoryPackable, MessagePackObject, GenerateSerializer]
public partial class Log
{
    private static readonly string[] Users = ["-", "alice", "bob", "carmen", "david", "eric", "frank", "george", "harry"];
    private static readonly string[] Methods = ["GET", "POST", "PUT", "UPDATE", "DELETE"];
    private static readonly string[] Protocols = ["HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"];

    private static readonly string[] Routes =
    [
        "/favicon.ico", "/css/index.css", "/css/font-awsome.min.css", "/img/logo-full.svg", "/img/splash.jpg", "/api/login", "/api/logout",
    ];

    // Those that are assigned.
    private static readonly int[] Codes =
    [
        .. Enumerable.Range(100, 4), .. Enumerable.Range(200, 9), 226, .. Enumerable.Range(300, 9), .. Enumerable.Range(400, 19),
        .. Enumerable.Range(421, 6), 428, 429, 431, 451, .. Enumerable.Range(500, 9), 510, 511,
    ];

    [Key(0), Index(0), Id(0)]
    public Address Address { get; set; }

    [Key(1), Index(1), Id(1)]
    public string Identity { get; set; } = null!;

    [Key(2), Index(2), Id(2)]
    public string UserId { get; set; } = null!;

    [Key(3), Index(3), Id(3)]
    public string Date { get; set; } = null!;

    [Key(4), Index(4), Id(4)]
    public string Request { get; set; } = null!;

    [Key(5), Index(5), Id(5)]
    public ushort Code { get; set; }

    [Key(6), Index(6), Id(6)]
    public ulong Size { get; set; }

    internal static Log Create(Random random) => new()
    {
        Address = Address.Create(random),
        Identity = "-",
        UserId = random.GetItems(Users, 1)[0],
        Date = When(random),
        Request = $"{random.GetItems(Methods, 1)[0]} {random.GetItems(Routes, 1)[0]} {random.GetItems(Protocols, 1)[0]}",
        Code = (ushort)random.GetItems(Codes, 1)[0],
        Size = (ulong)random.Next(100_000_000),
    };

    private static string When(Random random)
    {
        string month = CultureInfo.InvariantCulture.DateTimeFormat.AbbreviatedMonthNames[random.Next(12)];
        string time = $"{random.Next(24)}:{random.Next(60)}:{random.Next(60)}";
        return $"{random.Next(1, 29)}/{month}/{random.Next(1970, 2022)}:{time} {random.Next(-12, 13) * 100:+0000;-0000}";
    }
}

/// <summary>An address of the internet protocol, version 4.</summary>
[MemoryPackable, MessagePackObject, GenerateSerializer]
public partial struct Address
{
    [Key(0), Index(0), Id(0)]
    public byte X0 { get; set; }

    [Key(1), Index(1), Id(1)]
    public byte X1 { get; set; }

    [Key(2), Index(2), Id(2)]
    public byte X2 { get; set; }

    [Key(3), Index(3), Id(3)]
    public byte X3 { get; set; }

    internal static Address Create(Random random) => new()
    {
        X0 = (byte)random.Next(256),
        X1 = (byte)random.Next(256),
        X2 = (byte)random.Next(256),
        X3 = (byte)random.Next(256),
    };
}

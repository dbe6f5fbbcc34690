namespace Wire.Tests.Behaviour.Versions;

/// <summary>The types of the program that wrote.</summary>
public static class Write
{
    [WireName("Version.Gone")]
    public sealed class GoneType
    {
        public int X;
        public GoneType? Next;
    }

    public sealed class Framed
    {
        public int X;
    }

    public sealed class FramedSerializer : ValueSerializer<Framed>
    {
        public override void Write(ref WireWriter writer, Framed value) => writer.WriteFixed(value.X);

        public override Framed Read(ref WireReader reader) => new() { X = reader.ReadFixed<int>() };
    }

    [WireName("Version.Everything")]
    public sealed class Everything
    {
        public int A;
        public bool GoneBool;
        public string? GoneText;
        public string? GoneNull;
        public GoneType? GoneSealed;
        public GoneType? GoneNothing;
        public Animal? GoneAnimal;
        public Rich GoneStruct;
        public Point GoneFixed;
        public int? GoneMaybe;
        public Rich? GoneMaybeRich;
        public List<int>? GoneList;
        public List<Rich>? GoneRiches;
        public List<Animal>? GoneAnimals;
        public Dictionary<string, GoneType>? GoneMap;
        public HashSet<string>? GoneSet;
        public int[,]? GoneGrid;
        public Rich[,]? GoneRichGrid;
        public string[]? GoneTexts;
        public object? GoneObject;
        public object[]? GoneObjects;
        public Framed? GoneFramed;
        public (int, string)? GoneTuple;
        public Tuple<int, GoneType>? GoneClassTuple;
        public KeyValuePair<string, GoneType> GonePair;
        public Uri? GoneUri;
        public Version? GoneVersion;
        public Type? GoneType;
        public System.Numerics.BigInteger GoneBig;
        public Color GoneColor;
        public IEnumerable<int>? GoneInterface;
        public string? Middle;
        public int Z;

        public static Everything Sample() => new()
        {
            A = 1,
            GoneBool = true,
            GoneText = "gone",
            GoneSealed = new GoneType { X = 1, Next = new GoneType() },
            GoneAnimal = new Puppy { Name = "pup", Mother = new Dog { Friend = new Cat() } },
            GoneStruct = new Rich { Label = "l", Any = new GoneType(), Inner = [new Rich { Inner = [default] }] },
            GoneMaybe = 4,
            GoneMaybeRich = new Rich { Maybe = 1 },
            GoneList = [1, 2, 3],
            GoneRiches = [default, new Rich { Any = "x" }],
            GoneAnimals = [new Cat(), new Dog()],
            GoneMap = new() { ["k"] = new GoneType { X = 2 } },
            GoneSet = ["a", "b"],
            GoneGrid = new int[2, 3],
            GoneRichGrid = new Rich[1, 2],
            GoneTexts = ["x", "\u4F60"],
            GoneObject = new Dictionary<GoneType, object> { [new GoneType()] = new List<GoneType[]> { new[] { new GoneType() } } },
            GoneObjects = [1, "two", new GoneType(), new object[] { 3.0m, new Framed { X = 7 } }, new List<Rich> { default }],
            GoneFramed = new Framed { X = 9 },
            GoneTuple = (1, "t"),
            GoneClassTuple = Tuple.Create(1, new GoneType()),
            GonePair = new("k", new GoneType()),
            GoneUri = new Uri("http://gone/"),
            GoneVersion = new Version(1, 2),
            GoneType = typeof(GoneType),
            GoneBig = 12345678901234567890,
            GoneColor = Color.Blue,
            GoneInterface = new List<int> { 1 },
            Middle = "middle",
            Z = 3,
        };
    }

    [WireName("Version.Ordered")]
    public sealed class Ordered
    {
        public int First;
        public string? Second;
        public float Third;
    }

    [WireName("Version.Line")]
    public struct Line
    {
        public byte Count;
        public string? Gone;
        public List<Line>? Inner;
        public List<Line>? Others;
    }

    [WireName("Version.Optional")]
    public sealed class Optional
    {
        public int Number;
        public Color Color;
        public Point At;
        public short Small;
        public List<int>? Numbers;
    }

    [WireName("Version.Hollow")]
    public struct Hollow;

    [WireName("Version.Sharing")]
    public sealed class Sharing
    {
        public object? A;
        public Leaf? B;
        public Leaf? C;
        public object? D;

        public Sharing()
        {
        }
    }
}

/// <summary>The same types in the program that reads.</summary>
public static class Read
{
    [WireName("Version.Everything")]
    public sealed class Everything
    {
        public int Z;
        public int A;
        public int[]? Added;
        public int AddedNumber;
        public string? Middle;
    }

    [WireName("Version.Ordered")]
    public sealed class Ordered
    {
        public double Third;
        public string? Second;
        public long First;
    }

    [WireName("Version.Line")]
    public struct Line
    {
        public Point Added;
        public List<Line>? Inner;
        public ushort Count;
    }

    [WireName("Version.Optional")]
    public sealed class Optional
    {
        public int? Number;
        public Color? Color;
        public Point? At;
        public long? Small;
        public List<long?>? Numbers;
    }

    [WireName("Version.Hollow")]
    public struct Hollow
    {
        public int Value;
    }

    [WireName("Version.Sharing")]
    public sealed class Sharing
    {
        public Leaf? B;
        public Leaf? C;
        public object? D;
    }
}

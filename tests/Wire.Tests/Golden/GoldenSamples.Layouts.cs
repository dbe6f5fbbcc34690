using System.Collections;
using System.Globalization;
using System.Numerics;
using System.Text;

namespace Wire.Tests.Golden;

/// <summary>Each type with a tag as a member, where it has none.</summary>
public sealed class GoldenMembers
{
    public bool Boolean { get; set; }

    public sbyte SByte { get; set; }

    public byte Byte { get; set; }

    public short Int16 { get; set; }

    public ushort UInt16 { get; set; }

    public uint UInt32 { get; set; }

    public long Int64 { get; set; }

    public ulong UInt64 { get; set; }

    public Int128 Int128 { get; set; }

    public UInt128 UInt128 { get; set; }

    public nint IntPtr { get; set; }

    public nuint UIntPtr { get; set; }

    public Half Half { get; set; }

    public float Single { get; set; }

    public double Double { get; set; }

    public decimal Decimal { get; set; }

    public char Char { get; set; }

    public Rune Rune { get; set; }

    public Guid Guid { get; set; }

    public DateTime DateTime { get; set; }

    public DateTimeOffset DateTimeOffset { get; set; }

    public TimeSpan TimeSpan { get; set; }

    public DateOnly DateOnly { get; set; }

    public TimeOnly TimeOnly { get; set; }

    public Complex Complex { get; set; }

    public BigInteger BigInteger { get; set; }

    public Uri? Uri { get; set; }

    public Version? Version { get; set; }

    public Type? Type { get; set; }
}

/// <summary>A layout that leads back over another one.</summary>
public struct GoldenTree
{
    public string? Name;

    public GoldenBranches Branches;
}

public struct GoldenBranches
{
    public List<GoldenTree>? Trees;
}

/// <content>Layouts that the values of single types do not have.</content>
internal static partial class GoldenSamples
{
    private static readonly Type[] Elements =
    [
        typeof(bool), typeof(sbyte), typeof(byte), typeof(short), typeof(ushort), typeof(int), typeof(uint), typeof(long), typeof(ulong),
        typeof(Int128), typeof(UInt128), typeof(nint), typeof(nuint), typeof(Half), typeof(float), typeof(double), typeof(decimal),
        typeof(char), typeof(Rune), typeof(Guid), typeof(DateTime), typeof(DateTimeOffset), typeof(TimeSpan), typeof(DateOnly),
        typeof(TimeOnly), typeof(Complex),
    ];

    private static readonly Type[] Kinds = [typeof(List<>), typeof(Queue<>), typeof(Stack<>), typeof(LinkedList<>), typeof(HashSet<>)];

    private static IEnumerable<GoldenSample> Layouts =>
    [
        Of(
            new GoldenMembers
            {
                Boolean = true, SByte = -1, Byte = 2, Int16 = -3, UInt16 = 4, UInt32 = 5, Int64 = -6, UInt64 = 7, Int128 = -8, UInt128 = 9,
                IntPtr = -10, UIntPtr = 11, Half = (Half)1.25, Single = -0.1f, Double = double.NaN, Decimal = 1.50m, Char = 'Ж',
                Rune = new(0x1F600), Guid = new("00112233-4455-6677-8899-aabbccddeeff"),
                DateTime = new DateTime(2024, 2, 29, 1, 2, 3, DateTimeKind.Local).AddTicks(4),
                DateTimeOffset = new(2024, 2, 29, 1, 2, 3, TimeSpan.FromHours(14)), TimeSpan = TimeSpan.MinValue,
                DateOnly = DateOnly.MaxValue, TimeOnly = TimeOnly.MaxValue, Complex = new(double.PositiveInfinity, -0.0),
                BigInteger = -BigInteger.Pow(10, 30), Uri = new("a/b", UriKind.Relative), Version = new(1, 2, 3, 4), Type = typeof(int[]),
            },
            "Members-with-tags"),
        Of<object[]>(
            [
                new HashSet<string>(StringComparer.InvariantCulture) { "a" },
                new HashSet<object>(ReferenceEqualityComparer.Instance) { "a" },
                new Hashtable(StructuralComparisons.StructuralEqualityComparer) { ["a"] = 1 },
                new SortedList(StructuralComparisons.StructuralComparer) { ["a"] = 1 },
                new SortedList(Comparer.Default) { ["a"] = 1 },
                new SortedList(Comparer.DefaultInvariant) { ["a"] = 1 },
                new SortedList(CaseInsensitiveComparer.DefaultInvariant) { ["a"] = 1 },
                new SortedList(new CaseInsensitiveComparer(CultureInfo.GetCultureInfo("tr-TR"))) { ["a"] = 1 },
            ],
            "Comparers"),
        Of(
            new GoldenTree
            {
                Name = "root",
                Branches = new() { Trees = [new() { Name = "a", Branches = new() { Trees = [] } }, new() { Name = "b" }] },
            },
            "Recursion-over-a-level"),

        Of<object[]>(
            [(BigInteger.One << 8191) - 1, BigInteger.One << 8191, -(BigInteger.One << 8191), -(BigInteger.One << 8191) - 1],
            "BigInteger-large"),

        // The last two have identifiers of more than a byte.
        Of<object[]>(
            [
                .. from kind in Kinds from element in Elements select Activator.CreateInstance(kind.MakeGenericType(element))!,
                new HashSet<TimeOnly> { TimeOnly.MinValue }, new HashSet<Complex> { Complex.One },
            ],
            "Types-130"),
    ];
}

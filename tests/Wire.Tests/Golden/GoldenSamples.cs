using System.ComponentModel.DataAnnotations;
using System.Numerics;
using System.Text;
using Wire.Tests.Types;
using Wire.Tests.ValueSerializers;

namespace Wire.Tests.Golden;

/// <summary>
/// A value whose bytes are kept in a file. <paramref name="Type"/> is the variable it stands in, which a boxed Nullable has lost.
/// </summary>
public sealed record GoldenSample(string Name, object Value, Type Type);

/// <summary>Types of the golden vectors: renaming one, or a member, changes the vectors.</summary>
public sealed class GoldenOrder
{
    public int Number { get; set; }

    public string? Note { get; set; }

    public List<GoldenLine> Lines { get; set; } = [];

    public object? Extra { get; set; }

    public GoldenOrder? Previous { get; set; }
}

public readonly record struct GoldenLine(string Product, decimal Price, int? Count);

public struct GoldenEmpty;

/// <summary>The values of the golden vectors. They are only ever added to.</summary>
internal static partial class GoldenSamples
{
    private static readonly GoldenOrder Order = new()
    {
        Number = 42,
        Note = "fragile",
        Lines = [new("bolt", 0.25m, 100), new("nut", 0.10m, null)],
        Extra = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"),
        Previous = new() { Number = 41 },
    };

    public static IReadOnlyList<GoldenSample> All => Samples.Value;

    private static readonly Lazy<GoldenSample[]> Samples = new(() =>
    [
        Of(true), Of<sbyte>(-2), Of<byte>(0xFE), Of<short>(-2), Of<ushort>(0xFEDC), Of(-2), Of(0xFEDCBA98), Of(-2L), Of(0xFEDCBA9876543210),
        Of(new Int128(0x0102030405060708, 0x090A0B0C0D0E0F10)), Of(new UInt128(0xF1F2F3F4F5F6F7F8, 0xF9FAFBFCFDFEFF00)),
        Of((nint)(-2), "IntPtr"), Of(
            (nuint)2, "UIntPtr"), Of((Half)1.5), Of(1.5f), Of(-1.5), Of(-12345.6789m), Of('\u20AC'), Of(new Rune(0x1F600)),
        Of(Guid.Parse("00112233-4455-6677-8899-aabbccddeeff")), Of(new DateTime(2024, 2, 29, 23, 59, 59, DateTimeKind.Utc)),
        Of(new DateTimeOffset(2024, 2, 29, 23, 59, 59, TimeSpan.FromMinutes(-210))), Of(new TimeSpan(1, 2, 3, 4, 5)),
        Of(new DateOnly(2024, 2, 29)), Of(new TimeOnly(23, 59, 59)), Of(new Complex(1.5, -2)), Of("Wire"), Of("\u0416uk", "String-wide"),
        Of("", "String-empty"), Of(new string('x', 63), "String-long"), Of(new Uri("http://example.com/a?b#c")), Of(new Version(1, 2, 3)),
        Of(ValueSerializers.UriTests.Verbatim("http://example.com/a%2Fb/../c"), "Uri-verbatim"),
        Of(BigInteger.Pow(2, 80) - 1), Of(typeof(List<string>), "Type"), Of(new object(), "Object"),

        Of<int?[]>([1, null], "Nullable-array"), new(
            "Nullable", 7, typeof(int?)), Of(new List<int> { 1, 2, 3 }, "List"), Of(new List<string?> { "a", null }, "List-of-references"),
        Of(new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase) { ["a"] = 1, ["b"] = 2 }, "Dictionary"),
        Of(new HashSet<int> { 3, 1, 2 }, "HashSet"), Of(new KeyValuePair<string, int>("k", 1), "KeyValuePair"),
        Of(Tuple.Create(1), "Tuple1"), Of(
            Tuple.Create(1, "b"), "Tuple2"), Of(Tuple.Create(1, "b", 3), "Tuple3"), Of(Tuple.Create(1, 2, 3, 4), "Tuple4"),
        Of(Tuple.Create(1, 2, 3, 4, 5), "Tuple5"), Of(
            Tuple.Create(1, 2, 3, 4, 5, 6), "Tuple6"), Of(Tuple.Create(1, 2, 3, 4, 5, 6, 7), "Tuple7"),
        Of(Tuple.Create(1, 2, 3, 4, 5, 6, 7, "h"), "Tuple8"),
        Of(default(ValueTuple), "ValueTuple0"), Of(
            ValueTuple.Create(1), "ValueTuple1"), Of((1, "b"), "ValueTuple2"), Of((1, "b", 3), "ValueTuple3"),
        Of((1, 2, 3, 4), "ValueTuple4"), Of(
            (1, 2, 3, 4, 5), "ValueTuple5"), Of((1, 2, 3, 4, 5, 6), "ValueTuple6"), Of((1, 2, 3, 4, 5, 6, 7), "ValueTuple7"),
        Of((1, 2, 3, 4, 5, 6, 7, "h"), "ValueTuple8"),

        Of<byte[]>([1, 2, 3], "Byte-array"), Of<string?[]>(
            ["a", null], "String-array"), Of<object?[]>([1, "a", null, new[] { 1 }], "Object-array"),
        Of<int[][]>([[1], []], "Array-jagged"), Of(new[,] { { 1, 2 }, { 3, 4 } }, "Array-rank-2"),
        new("Array-lower-bound", LowerBound(), typeof(int).MakeArrayType(1)), Of(DayOfWeek.Friday, "Enum-core"), Of(OfUInt64.Two, "Enum"),
        Of(Order, "Order"), Of<object[]>([Order, Order], "Order-twice"), Of<GoldenEmpty[]>([default, default], "Empty-struct"),
        Of(new Exception("outer", new("inner")) { HelpLink = "help", Source = "source", HResult = 7, Data = { ["key"] = 1 } }), Of(
            ExceptionSamples.Remote()), Of(new ValidationResult("wrong", (string[])["A", "B"])),
        .. Collections,
        .. GoldenScalars.All,
        .. Layouts,
    ]);

    private static GoldenSample Of<T>(T value, string? name = null)
        where T : notnull => new(name ?? typeof(T).Name, value, typeof(T));

    private static Array LowerBound()
    {
        Array array = Array.CreateInstance(typeof(int), [2], [5]);
        array.SetValue(1, 5);
        array.SetValue(2, 6);
        return array;
    }
}

using System.Runtime.CompilerServices;
using System.Text;
using Wire.Tests.Behaviour;

using Wire.Tests.Testing;

namespace Wire.Tests.Hostile;

/// <summary>
/// Bit patterns that no value of their type has are refused wherever the type can stand: as a root, in blocks that are copied
/// as a whole, among members of fixed size, as keys and boxed. In memory such a value would break what the runtime relies on.
/// </summary>
public sealed class BitPatternTests
{
    /// <summary>A type, a good value whose bytes do not occur elsewhere, and bytes that are no value.</summary>
    private static readonly (object Good, string[] Bad)[] Patterns =
    [
        (0.0000000000000000000000000017m,
        [
            "000000000000000000000000" + "00001D00",
            "000000000000000000000000" + "01000000",
            "000000000000000000000000" + "00000001",
            "FFFFFFFFFFFFFFFFFFFFFFFF" + "0000FF80",
        ]),
        (
            new DateTime(2026, 11, 21, 13, 14, 15, DateTimeKind.Utc),
            ["FFFFFFFFFFFFFF3F", "FFFFFFFFFFFFFFFF", "004037F47528CA2B", "004037F47528CA6B", "004037F47528CAAB", "004037F47528CAEB"]),
        (
            new DateTimeOffset(2026, 11, 21, 13, 14, 15, TimeSpan.FromMinutes(61)),
            ["00000000000000004903", "0000000000000000B7FC", "00000000000000000100", "FFFFFFFFFFFFFFFF0000", "FFFFFFFFFFFFFF7F0000"]),
        (new DateOnly(2026, 11, 21), ["FFFFFFFF", "00000080", "DBB93700"]),
        (new TimeOnly(13, 14, 15), ["FFFFFFFFFFFFFFFF", "00C0692AC9000000"]),
        (new Rune(0x1F603), ["00D80000", "FFDF0000", "00001100", "FFFFFFFF"]),
    ];

    public static TheoryData<string, bool> Cases
    {
        get
        {
            var cases = new TheoryData<string, bool>();
            foreach ((object good, _) in Patterns)
            {
                cases.Add(good.GetType().Name, true);
                cases.Add(good.GetType().Name, false);
            }

            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void What_is_no_value_of_its_type_is_refused_in_every_place(string type, bool dynamicCode)
    {
        (object good, string[] bad) = Patterns.Single(pattern => pattern.Good.GetType().Name == type);
        typeof(BitPatternTests).GetMethod(
            nameof(InEveryPlace), System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Static)!
            .MakeGenericMethod(good.GetType())
            .Invoke(null, [good, bad.Select(Convert.FromHexString).ToArray(), dynamicCode]);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Every_byte_but_two_is_no_bool(bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode);
        for (int value = 2; value < 256; value++)
        {
            foreach (object container in new object[]
            {
                true,
                new[] { false, true },
                new List<bool> { true },
                new Slots<bool> { Before = 7, Value = true },
                (1, true),
            })
            {
                // Its byte is the last of the payload that is 1, or the last but null behind it.
                byte[] payload = serializer.Serialize(container);
                byte[] zero = serializer.Serialize(Without(container));
                int at = Enumerable.Range(0, payload.Length).Single(i => payload[i] != zero[i]);
                payload[at] = (byte)value;
                Refused(() => serializer.Deserialize<object>(payload));
            }
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Every_pattern_of_an_enum_and_a_char_is_a_value(bool dynamicCode)
    {
        // C# lets them have any: a switch needs its default, and text its check.
        Serializer serializer = Setup.Serializer(dynamicCode);
        Assert.Equal((DayOfWeek)(-1), serializer.CopyBothWays((DayOfWeek)(-1)));
        Assert.Equal((Color)12345, serializer.Clone<object>((Color)12345));
        Assert.Equal(['\uD800', '\uFFFF'], serializer.Clone<char[]>(['\uD800', '\uFFFF']));
        Assert.Equal("\uDFFF\uD800", serializer.CopyBothWays("\uDFFF\uD800"));
    }

    [Fact]
    public void Names_that_are_not_utf8_are_refused()
    {
        Serializer serializer = Setup.Serializer(true);
        byte[] payload = serializer.Serialize<object>(new Slots<int>());
        foreach (string name in new[] { nameof(Slots<>), nameof(Slots<>.Before) })
        {
            foreach (byte bad in new byte[] { 0x80, 0xC0, 0xC1, 0xE0, 0xED, 0xF5, 0xFF })
            {
                byte[] damaged = [.. payload];
                damaged[damaged.AsSpan().IndexOf(Encoding.UTF8.GetBytes(name))] = bad;
                Assert.Equal(
                    WireFormatError.Manifest, Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(damaged)).Error);
            }
        }
    }

    private static void InEveryPlace<T>(T good, byte[][] patterns, bool dynamicCode)
        where T : unmanaged
    {
        Serializer serializer = Setup.WithReferences(dynamicCode);
        byte[] root = serializer.Serialize(good);
        byte[] value = root[2..];
        object[] places =
        [
            good, new[] { good }, new[] { default, good, default }, new List<T> { good }, new T?[] { good }, new T[,] { { good } },
            new Slots<T> { Value = good }, new Slots<T?> { Value = good }, new Slots<object> { Value = good }, new Slots<Slots<T>>
            {
                Value = new() { Value = good },
            },
            new Pair<T> { First = good }, new Slots<Pair<T>> { Value = new Pair<T> { Second = good } }, (good, 1), Tuple.Create(1, good),
            new Dictionary<T, int> { [good] = 1 }, new Dictionary<int, T> { [1] = good }, new HashSet<T> { good }, new object[] { good },
            new Queue<T>([good]),
        ];
        foreach (object place in places)
        {
            byte[] payload = serializer.Serialize(place);
            int at = payload.AsSpan().IndexOf(value);
            Assert.True(
                at > 0 && payload.AsSpan(at + 1).IndexOf(value) < 0,
                $"{place.GetType()}: {Convert.ToHexString(payload)} has {Convert.ToHexString(value)} not once");
            foreach (byte[] pattern in patterns)
            {
                Assert.Equal(value.Length, pattern.Length);
                pattern.CopyTo(payload, at);
                Refused(() => serializer.Deserialize<object>(payload));
            }
        }
    }

    private static void Refused(Action read)
    {
        WireFormatException failure = Assert.Throws<WireFormatException>(read);
        Assert.Equal(WireFormatError.InvalidValue, failure.Error);
    }

    private static object Without(object container) => container switch
    {
        bool => false,
        bool[] => new bool[2],
        List<bool> => new List<bool> { false },
        Slots<bool> => new Slots<bool> { Before = 7 },
        (int, bool) => (1, false),
        _ => throw new SwitchExpressionException(container),
    };

    public sealed class Slots<T>
    {
        public int Before;
        public T? Value;
        public string? Behind;
    }

    public struct Pair<T>
    {
        public T First;
        public T Second;
    }
}

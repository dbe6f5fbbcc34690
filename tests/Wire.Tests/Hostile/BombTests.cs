using System.Buffers;
using Wire.Testing;
using Wire.Tests.Behaviour;
using Xunit;

namespace Wire.Tests.Hostile;

/// <summary>Lengths that promise more than there is, references that lead nowhere, values where they cannot stand.</summary>
public class BombTests
{
    private const int Allowance = 64 << 10;

    private static readonly Serializer Wire = Setup.Serializer(true);

    public static TheoryData<string> Bombs =>
    [
        "102AFFFFFFFF0F", // a string of 2 GB
        "102AFEFFFFFF0F",
        "102DFFFFFFFF0F", // an enormous integer
        "102BFFFFFFFF0F", // a URI
        "102EFFFFFFFF0F", // a type's name
        "100512FFFFFFFF0F", // bytes
        "100512FFFFFFFF07",
        "100515FFFFFFFF03", // integers, whose size exceeds 32 bits
        "10052FFFFFFF07", // objects
        "10052AFFFFFF07", // strings
        "1002FFFFFFFF0F", // a manifest
        "1002808010",
        "1002FFFF0F",
        "1003FFFFFFFF0F", // an identifier
        "1001FFFFFFFF0F", // a reference, where there are none
        "1201FFFFFFFF0F",
        "120100",
        "1052FFFFFFFF0F",
        "FF",
        "00",
        "1F00",
    ];

    [Theory]
    [MemberData(nameof(Bombs))]
    public void A_bomb_costs_nothing(string hex)
    {
        byte[] payload = Convert.FromHexString(hex);
        byte[] longer = [.. payload, .. new byte[100]];
        foreach (byte[] bytes in new[] { payload, longer })
        {
            Cheap(() => Wire.Deserialize<object>(bytes));
            Cheap(() => Wire.Deserialize<Bag>(bytes));
            Cheap(() => Wire.Deserialize<object>(new ReadOnlySequence<byte>(bytes)));
            Cheap(() => Wire.Deserialize<object>(new SeekableStream(bytes)));
            Cheap(() => Wire.Deserialize<object>(new Unseekable(bytes)), 300_000);
        }
    }

    [Fact]
    public void Counts_of_collections_are_checked_before_they_are_believed()
    {
        foreach (object value in new object[]
        {
            new List<int>(),
            new Dictionary<string, int>(),
            new HashSet<long>(),
            Array.Empty<Leaf>(),
            new List<Rich>(),
            new Dictionary<int, object>(),
        })
        {
            byte[] payload = [.. Wire.Serialize(value)[..^1], 0xFF, 0xFF, 0xFF, 0x07, 0, 0, 0];
            Cheap(() => Wire.Deserialize<object>(payload));
            Cheap(() => Wire.Deserialize<object>(new Unseekable(payload)), 300_000);
        }

        // Two dimensions whose product exceeds 32 or 64 bits; and none of one, but very many of the others.
        byte[] grid = Wire.Serialize(new int[0, 0]);
        foreach (string lengths in new[]
        {
            "FFFFFFFF07-00000000-FFFFFFFF07-00000000",
            "8080808008-00000000-02-00000000",
            "00-00000000-FFFFFFFF07-00000000",
            "02-FFFFFF7F-01-00000000",
            "8004-00000000-8004-00000000",
        })
        {
            byte[] payload = [.. grid[..^10], .. Convert.FromHexString(lengths.Replace("-", "", StringComparison.Ordinal)), 0, 0, 0];
            Cheap(() => Wire.Deserialize<object>(payload));
        }

        // None of one dimension and as many of the other as there may be: the bytes that follow are left over.
        foreach (string lengths in new[] { "00-00000000-C7FFFFFF07-00000000", "C7FFFFFF07-00000000-00-00000000" })
        {
            byte[] payload = [.. grid[..^10], .. Convert.FromHexString(lengths.Replace("-", "", StringComparison.Ordinal))];
            Assert.Empty(Wire.Deserialize<int[,]>(payload)!);
            Assert.Empty(Wire.Deserialize<int[,]>(new Unseekable(payload))!);
        }
    }

    [Fact]
    public void The_limits_hold()
    {
        byte[] payload = Wire.Serialize(new int[100]);
        Serializer few = Setup.Serializer(true, o => o with { Limits = Limits.Default with { MaxElements = 99 } });
        Serializer small = Setup.Serializer(true, o => o with { Limits = Limits.Default with { MaxBytes = 399 } });
        foreach (Serializer serializer in new[] { few, small })
        {
            Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(payload)).Error);
            Assert.Equal(
                WireFormatError.Limit, Assert.Throws<WireFormatException>(
                    () => serializer.Deserialize<object>(new Unseekable(payload))).Error);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_value_of_every_type_in_every_slot_is_right_or_a_format_error(bool dynamicCode)
    {
        Serializer serializer = Setup.WithReferences(dynamicCode);
        object[] values =
        [
            1, "s", 2.0, new int[1], new string[1], new object(), new Leaf(), new Cat(), new Dog(), new Puppy(), new Node(), new Point(),
            new Rich(),
            Color.Blue, new List<int>(), new List<Leaf>(), new Leaf[1], new Dictionary<string, int>(), new HashSet<int>(), new int[1, 1],
            typeof(int), new Uri("http://a/"), new Box<int>(),
        ];
        int refused = 0;
        refused += Slot<Leaf>(serializer, values);
        refused += Slot<Animal>(serializer, values);
        refused += Slot<Dog>(serializer, values);
        refused += Slot<int[]>(serializer, values);
        refused += Slot<Leaf[]>(serializer, values);
        refused += Slot<List<int>>(serializer, values);
        refused += Slot<Dictionary<string, int>>(serializer, values);
        refused += Slot<HashSet<int>>(serializer, values);
        refused += Slot<int[,]>(serializer, values);
        refused += Slot<Uri>(serializer, values);
        refused += Slot<Type>(serializer, values);
        refused += Slot<Box<int>>(serializer, values);
        refused += Slot<IComparable>(serializer, values);
        Assert.True(refused > 200, $"{refused} were refused");
    }

    private static int Slot<T>(Serializer serializer, object[] values)
        where T : class
    {
        int refused = 0;
        foreach (object value in values)
        {
            // Written as an object and read as a T: in a member of the same name, as an element, and as a reference.
            byte[] member = serializer.Serialize(new Confused<object> { Value = value });
            refused +=
                Try(() => serializer.Deserialize<Confused<T>>(Renamed(member, serializer.Serialize(new Confused<T>())))?.Value, value);
            refused += Try(() => serializer.Deserialize<T>(serializer.Serialize(value)), value);
            refused += Try(() => serializer.DeserializeTyped<T>(serializer.SerializeTyped(value)), value);
        }

        return refused;
    }

    private static int Try<T>(Func<T?> read, object value)
    {
        try
        {
            T? result = read();
            Assert.True(
                result?.GetType() == value.GetType() || (result is not null && result.GetType() == typeof(T) && IsConverted(result, value)),
                $"a {value.GetType()} became a {result?.GetType()}");
            return 0;
        }
        catch (WireFormatException)
        {
            return 1;
        }
    }

    // A collection is read as the one that is declared, with the same elements.
    private static bool IsConverted(object result, object value) =>
        result is System.Collections.IEnumerable now && value is System.Collections.IEnumerable before
        && now.Cast<object?>().SequenceEqual(before.Cast<object?>());

    // Puts the manifest of one payload, whose slot holds null, in front of the value of another.
    private static byte[] Renamed(byte[] payload, byte[] named)
    {
        int end = 3 + payload[2] + (payload[2] >= 0x80 ? ((payload[3] - 1) << 7) + 1 : 0);
        return [.. named[..^1], .. payload[end..]];
    }

    public sealed class Confused<T>
    {
        public T? Value;
    }

    private sealed class Unseekable(byte[] bytes) : MemoryStream(bytes)
    {
        public override bool CanSeek => false;
    }

    private static void Cheap(Action read, long allowance = Allowance)
    {
        long least = long.MaxValue;
        for (int i = 0; i < 3; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            Exception? failure = Record.Exception(read);
            Assert.IsAssignableFrom<WireFormatException>(failure);
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.True(least <= allowance, $"{least} bytes");
    }
}

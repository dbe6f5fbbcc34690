using System.Collections.Specialized;
using System.Text;

namespace Wire.Tests.Hostile.Floods;

/// <summary>One array that a payload refers to again and again: where its elements are copied, each copy counts as memory.</summary>
public sealed class SharedArrayTests
{
    private const int Many = 1_000;

    private static readonly Serializer Small = new(new SerializerOptions { Limits = Limits.Default with { MaxAllocation = 5_000_000 } });

    [Fact]
    public void Groups_of_a_look_up_that_share_an_array_count_as_many_arrays() =>
        AssertRefused(Groups(
            "System.Linq.ILookup`2[[System.Int32],[System.Byte]]",
            [0x42, 0x15, 0x46, 0x41, 0x12],
            i => BitConverter.GetBytes(i),
            [0x12],
            [0]));

    [Fact]
    public void Keys_of_a_name_value_collection_that_share_an_array_count_as_many_arrays() =>
        AssertRefused(Groups(
            "System.Collections.Specialized.NameValueCollection",
            [0x42, 0x2A, 0x46, 0x41, 0x2A],
            i => [9, .. Encoding.ASCII.GetBytes($"{i:D4}")],
            [0x2A],
            [3, (byte)'x']));

    [Fact]
    public void Groups_that_share_an_array_count_as_many_arrays()
    {
        // An array of groups, each with a manifest or the number of the first one's.
        byte[] manifest = Manifest("System.Linq.IGrouping`2[[System.Int32],[System.Byte]]",
        [
            0x44,
            2,
            3,
            (byte)'k',
            (byte)'e',
            (byte)'y',
            0x15,
            5,
            (byte)'v',
            (byte)'a',
            (byte)'l',
            (byte)'u',
            (byte)'e',
            0x46,
            0x41,
            0x12,
        ]);
        var bytes = new List<byte> { 0x12, 5, 0x2F, 0xE8, 0x07 };
        for (int i = 0; i < Many; i++)
        {
            bytes.AddRange(i == 0 ? manifest : [0x80]);
            bytes.AddRange(BitConverter.GetBytes(i));
            bytes.AddRange(i == 0 ? [5, 0x12, 0x90, 0x4E, .. new byte[10_000]] : [1, 2]);
        }

        AssertRefused([.. bytes]);
    }

    [Fact]
    public void What_is_written_within_the_limit_is_read()
    {
        object[] values =
        [
            Enumerable.Range(0, 10_000).ToLookup(i => i % 3),
            Enumerable.Range(0, 10_000).GroupBy(i => i % 3).ToArray(),
            new NameValueCollection { { "a", "1" }, { "a", "2" }, { "b", "3" } },
        ];
        foreach (object value in values)
        {
            long limit = 1;
            while (!CanWrite(value, limit))
            {
                limit += (limit / 64) + 1;
            }

            var serializer = new Serializer(new SerializerOptions { Limits = Limits.Default with { MaxAllocation = limit } });
            Assert.NotNull(serializer.Deserialize<object>(serializer.Serialize(value)));
        }
    }

    private static bool CanWrite(object value, long limit)
    {
        try
        {
            new Serializer(new SerializerOptions { Limits = Limits.Default with { MaxAllocation = limit } }).Serialize(value);
            return true;
        }
        catch (ObjectGraphException)
        {
            return false;
        }
    }

    // The first group has 10,000 elements, each other one refers to the same array.
    private static byte[] Groups(string name, byte[] shape, Func<int, byte[]> key, byte[] array, byte[] element)
    {
        var bytes = new List<byte> { 0x12 };
        bytes.AddRange(Manifest(name, shape));
        bytes.AddRange([0, 0xE8, 0x07]);
        for (int i = 0; i < Many; i++)
        {
            bytes.AddRange(key(i));
            bytes.AddRange(i == 0 ? [5, .. array, 0x90, 0x4E, .. Enumerable.Repeat(element, 10_000).SelectMany(part => part)] : [1, 1]);
        }

        return [.. bytes];
    }

    private static byte[] Manifest(string name, byte[] shape)
    {
        byte[] text = Encoding.UTF8.GetBytes(name);
        byte[] length = text.Length < 64 ? [(byte)(text.Length << 1)] : [(byte)((text.Length << 1) | 0x80), (byte)(text.Length >> 6)];
        byte[] manifest = [.. length, .. text, 1, .. shape];
        return [2, (byte)manifest.Length, .. manifest];
    }

    private static void AssertRefused(byte[] bytes)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        WireFormatException error = Assert.Throws<WireFormatException>(() => Small.Deserialize<object>(bytes));
        Assert.Equal(WireFormatError.Limit, error.Error);
        Assert.Contains(nameof(Limits.MaxAllocation), error.Message, StringComparison.Ordinal);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 3 * 5_000_000);
    }
}

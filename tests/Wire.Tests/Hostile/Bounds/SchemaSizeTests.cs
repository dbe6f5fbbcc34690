using System.Diagnostics;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Hostile.Bounds;

/// <summary>Schemas whose values take very many bytes at least, which is what counts are held against.</summary>
public class SchemaSizeTests
{
    private const byte Sequence = 0x41;
    private const byte Map = 0x42;
    private const byte Members = 0x44;
    private const byte Fixed = 0x48;
    private const byte String = 0x2A;
    private const byte Int32 = 0x15;

    private static readonly Serializer Serializer =
        new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<Box>().Allow<Small>() });

    [Fact]
    public void Counts_in_what_is_passed_over_take_no_time_that_grows_with_the_schema()
    {
        const int Times = 200_000;
        byte[] payload = new PayloadWriter().Byte(0x10)
            .Definition(
                typeof(Box), schema => WithKept(schema, 1).Name("x").Byte(Sequence, Sequence).Byte(Members).Number(30_000)
                    .Many(30_000, (w, i) => w.Name(Name(i)).Byte(String)))
            .Byte(0, 0, 0, 0).Number(Times).Byte(new byte[Times]).Bytes;
        Serializer.Deserialize<object>(payload);

        var watch = Stopwatch.StartNew();
        Assert.IsType<Box>(Serializer.Deserialize<object>(payload));
        Assert.True(watch.Elapsed < TimeSpan.FromSeconds(5), watch.Elapsed.ToString());
    }

    [Fact]
    public void Sizes_that_exceed_an_int_are_the_largest_there_is()
    {
        byte[] skipped = new PayloadWriter().Byte(0x10)
            .Definition(typeof(Box), schema => Large(WithKept(schema, 1).Name("x").Byte(Sequence), 32_769)).Byte(0, 0, 0, 0).Number(0)
            .Bytes;
        Assert.IsType<Box>(Serializer.Deserialize<object>(skipped));
        Assert.Contains("0 element(s)", PayloadDump.Describe(skipped), StringComparison.Ordinal);

        byte[] elements =
            new PayloadWriter().Byte(0x10).Definition(typeof(List<Small>), schema => Large(schema.Byte(Sequence), 32_769)).Number(0).Bytes;
        Assert.Empty(Serializer.Deserialize<List<Small>>(elements)!);

        byte[] notThere = [.. elements[..^1], 1];
        Refused(() => Serializer.Deserialize<List<Small>>(notThere));
    }

    [Fact]
    public void Sizes_of_pairs_that_exceed_an_int_are_the_largest_there_is()
    {
        // Both halves together are 2^31 and more: once a negative size, which any count has room for.
        byte[] pairs = new PayloadWriter().Byte(0x10)
            .Definition(typeof(Dictionary<Small, Small>), schema => Large(Large(schema.Byte(Map), 16_400), 16_400)).Byte(0).Number(
                20_000_000).Bytes;
        Refused(() => Serializer.Deserialize<object>(pairs));

        byte[] skipped = new PayloadWriter().Byte(0x10)
            .Definition(typeof(Box), schema => Large(Large(WithKept(schema, 1).Name("x").Byte(Map), 16_400), 16_400))
            .Byte(0, 0, 0, 0, 0).Number(20_000_000).Bytes;
        Refused(() => Serializer.Deserialize<object>(skipped));
        Assert.NotEmpty(PayloadDump.Describe(skipped));
    }

    private static void Refused(Func<object?> read) => Assert.Equal(WireFormatError.Length, Assert.Throws<WireFormatException>(read).Error);

    // A value needs a member that its type has.
    private static PayloadWriter WithKept(PayloadWriter schema, int others) =>
        schema.Byte(Members).Number(1 + others).Name(nameof(Box.Kept)).Byte(Int32);

    private static PayloadWriter Large(PayloadWriter schema, int members) =>
        WithKept(schema, members).Many(members, (w, i) => w.Name(Name(i)).Byte(Fixed).Number(1 << 16));

    // As short as names can be, so that the schema has room for all.
    private static string Name(int i) => i < 128 ? $"{(char)i}" : $"{(char)(i % 128)}{Name((i / 128) - 1)}";

    private sealed class Box
    {
        public int Kept { get; set; }
    }

    private struct Small
    {
        public int Kept { get; set; }
    }
}

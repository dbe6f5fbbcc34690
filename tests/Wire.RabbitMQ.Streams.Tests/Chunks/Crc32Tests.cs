using FsCheck;
using FsCheck.Fluent;
using Wire.RabbitMQ.Streams.Chunks;
using ArmCrc32 = System.Runtime.Intrinsics.Arm.Crc32;

namespace Wire.RabbitMQ.Streams.Tests.Chunks;

/// <summary>Each way to compute the checksum that this processor has, against one bit after the other.</summary>
public sealed class Crc32Tests
{
    private delegate uint Way(uint crc, ReadOnlySpan<byte> bytes);

    // Those of other processors are tested there.
    private static readonly Way[] Ways =
    [
        Crc32Tables.Update,
        .. Crc32Folding.IsSupported ? (Way[])[(crc, bytes) => Crc32Folding.Update(crc, bytes, isWide: false)] : [],
        .. Crc32Wide.IsSupported ? (Way[])[(crc, bytes) => Crc32Folding.Update(crc, bytes, isWide: true)] : [],
        .. ArmCrc32.Arm64.IsSupported ? (Way[])[Crc32.UpdateOnArm] : [],
    ];

    [Fact]
    public void Computes_the_check_value() => Assert.Equal(0xCBF43926, Crc32.Compute("123456789"u8));

    [Fact]
    public void Of_nothing_is_nothing() => Assert.Equal(0u, Crc32.Compute([]));

    [Fact]
    public void Of_many_zeros_is_what_the_bits_say() =>
        Assert.Equal(~Plain(uint.MaxValue, new byte[100_003]), Crc32.Compute(new byte[100_003]));

    [Fact]
    public void Each_way_says_what_the_bits_say_at_each_length_and_alignment()
    {
        byte[] bytes = new byte[700];
        new Random(17).NextBytes(bytes);
        for (int start = 0; start < 17; start++)
        {
            for (int length = 0; length <= bytes.Length - start; length++)
            {
                ReadOnlySpan<byte> part = bytes.AsSpan(start, length);
                uint expected = Plain(uint.MaxValue, part);
                foreach (Way way in Ways)
                {
                    Assert.Equal(expected, way(uint.MaxValue, part));
                }
            }
        }
    }

    [Fact]
    public void Each_way_says_what_the_bits_say_from_any_state_on() => Check.One(
        Config.QuickThrowOnFailure.WithMaxTest(300).WithEndSize(5000),
        Prop.ForAll(
            ArbMap.Default.ArbFor<byte[]>(),
            ArbMap.Default.ArbFor<uint>(),
            (bytes, state) => Array.TrueForAll(Ways, way => way(state, bytes) == Plain(state, bytes))));

    [Fact]
    public void Parts_one_after_the_other_are_the_whole() => Check.One(
        Config.QuickThrowOnFailure.WithMaxTest(300).WithEndSize(2000),
        Prop.ForAll(
            ArbMap.Default.ArbFor<byte[]>(),
            ArbMap.Default.ArbFor<byte[]>(),
            (first, second) =>
                Array.TrueForAll(Ways, way => way(way(uint.MaxValue, first), second) == way(uint.MaxValue, [.. first, .. second]))));

    private static uint Plain(uint crc, ReadOnlySpan<byte> bytes)
    {
        foreach (byte one in bytes)
        {
            crc ^= one;
            for (int bit = 0; bit < 8; bit++)
            {
                crc = (crc & 1) != 0 ? (crc >> 1) ^ 0xEDB88320 : crc >> 1;
            }
        }

        return crc;
    }
}

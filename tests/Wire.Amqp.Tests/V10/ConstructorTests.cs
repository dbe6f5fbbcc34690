using System.Buffers;
using System.Text;
using Wire.Amqp.V10;
using Wire.Amqp.V10.Values;
using Wire.Testing;

namespace Wire.Amqp.Tests.V10;

/// <summary>One value and more of every constructor, written down by hand from part 1 of the specification.</summary>
public sealed class ConstructorTests
{
    private static readonly (string Hex, AmqpValue Value, bool IsCompact)[] Vectors =
    [
        ("40", default, true),
        ("41", true, true),
        ("42", false, true),
        ("5601", true, false),
        ("5600", false, false),
        ("50ff", (byte)255, true),
        ("60fffe", (ushort)0xfffe, true),
        ("43", 0u, true),
        ("5200", 0u, false),
        ("52ff", 255u, true),
        ("7000000100", 256u, true),
        ("44", 0ul, true),
        ("53ff", 255ul, true),
        ("80000000000000007f", 127ul, false),
        ("80ffffffffffffffff", ulong.MaxValue, true),
        ("5180", (sbyte)-128, true),
        ("61fffe", (short)-2, true),
        ("54ff", -1, true),
        ("5480", -128, true),
        ("547f", 127, true),
        ("71ffffff7f", -129, true),
        ("7100000080", 128, true),
        ("71ffffffff", -1, false),
        ("55ff", -1L, true),
        ("5580", -128L, true),
        ("81ffffffffffffff7f", -129L, true),
        ("810000000000000000", 0L, false),
        ("723fc00000", 1.5f, true),
        ("823ff8000000000000", 1.5d, true),
        ("7432800001", (Decimal32)1m, true),
        ("8431c0000000000001", (Decimal64)1m, true),
        ("9430400000000000000000000000000001", 1m, true),
        ("94b03c00000000000000000000000000e7", -2.31m, true),
        ("730001d11e", new Rune(0x1d11e), true),
        ("7300000041", 'A', true),
        ("83ffffffffffffffff", new Timestamp(-1), true),
        ("98000102030405060708090a0b0c0d0e0f", new Guid("00010203-0405-0607-0809-0a0b0c0d0e0f"), true),
        ("a003010203", new byte[] { 1, 2, 3 }, true),
        ("b000000003010203", new byte[] { 1, 2, 3 }, false),
        ("a103e282ac", "€", true),
        ("b100000001" + "61", "a", false),
        ("a302" + "6869", new AmqpSymbol("hi"), true),
        ("b300000002" + "6869", new AmqpSymbol("hi"), false),
        ("45", AmqpValue.List(), true),
        ("c00100", AmqpValue.List(), false),
        ("c0050254" + "ff5580", AmqpValue.List(-1, -128L), true),
        ("d000000006" + "00000001" + "54ff", AmqpValue.List(-1), false),
        ("c10100", AmqpValue.Map(), true),
        ("c10602" + "a1016b" + "5405", AmqpValue.Map(("k", 5)), true),
        ("d100000009" + "00000002" + "a1016b" + "5405", AmqpValue.Map(("k", 5)), false),
        ("e0020054", AmqpValue.Array(AmqpType.Int), true),
        ("e0040254" + "ff80", AmqpValue.Array(AmqpType.Int, -1, -128), true),
        ("e00a0271" + "00000080" + "ffffffff", AmqpValue.Array(AmqpType.Int, 128, -1), true),
        ("f0000000070000000254" + "ff80", AmqpValue.Array(AmqpType.Int, -1, -128), false),
        ("e0020340", AmqpValue.Array(AmqpType.Null, default, default, default), true),
        ("e0020241", AmqpValue.Array(AmqpType.Boolean, true, true), false),
        ("e0020245", AmqpValue.Array(AmqpType.List, AmqpValue.List(), AmqpValue.List()), false),
        ("e00602a1" + "0161" + "0162", AmqpValue.Array(AmqpType.String, "a", "b"), true),
        (
            "e00b02e0" + "030154" + "01" + "040254" + "0203",
            AmqpValue.Array(AmqpType.Array, AmqpValue.Array(AmqpType.Int, 1), AmqpValue.Array(AmqpType.Int, 2, 3)),
            true),
        ("0053" + "77" + "5405", AmqpValue.Describe(0x77ul, 5), true),
        ("00a301" + "61" + "00" + "5301" + "40", AmqpValue.Describe(new AmqpSymbol("a"), AmqpValue.Describe(1ul, default)), true),
    ];

    [Fact]
    public void Every_constructor_is_read_whole_and_across_segments_and_cut()
    {
        foreach ((string hex, AmqpValue value, bool isCompact) in Vectors)
        {
            byte[] bytes = Convert.FromHexString(hex);
            Assert.True(AmqpValueTests.Read(bytes) == value, hex);
            if (isCompact)
            {
                Assert.Equal(hex, Convert.ToHexStringLower(AmqpValueTests.Written(value)));
            }
            else if (value.Type != AmqpType.Array)
            {
                // Of arrays, the forms without bytes are read and not written.
                Assert.True(value.Copy().EncodedSize <= bytes.Length, hex);
            }

            foreach (ReadOnlySequence<byte> split in Sequences.SplitEverywhere(bytes))
            {
                var reader = new AmqpReader(split);
                Assert.True(reader.ReadValue() == value, hex);
                Assert.True(reader.IsAtEnd);
                var skipper = new AmqpReader(split);
                skipper.SkipValue();
                Assert.True(skipper.IsAtEnd);
            }

            for (int cut = 0; cut < bytes.Length; cut++)
            {
                AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => AmqpValueTests.Read(bytes[..cut]));
                Assert.True(e.Error == AmqpFormatError.Truncated && e.Missing >= 1 && e.Missing <= bytes.Length - cut, hex);
            }
        }
    }

    [Fact]
    public void Every_element_survives_in_a_list_in_an_array_and_behind_a_descriptor()
    {
        byte[] all = [.. Vectors.SelectMany(vector => Convert.FromHexString(vector.Hex))];
        byte[] list = [0xd0, 0, 0, (byte)((all.Length + 4) >> 8), (byte)(all.Length + 4), 0, 0, 0, (byte)Vectors.Length, .. all];
        AmqpList read = AmqpValueTests.Read(list).As<AmqpList>();
        int i = 0;
        foreach (AmqpValue element in read)
        {
            Assert.True(element == Vectors[i].Value && read[i] == element, Vectors[i].Hex);
            i++;
        }

        Assert.Equal(Vectors.Length, i);
        foreach ((string hex, AmqpValue value, _) in Vectors.Where(vector => vector.Value.Type != AmqpType.Described))
        {
            // Two elements under one constructor, which is described; the elements have to be reached apart from it.
            byte[] bytes = Convert.FromHexString(hex);
            byte[] content = [2, 0x00, 0x53, 7, bytes[0], .. bytes[1..], .. bytes[1..]];
            AmqpArray array = AmqpValueTests.Read([0xe0, (byte)content.Length, .. content]).As<AmqpArray>();
            Assert.Equal((2, AmqpType.Described), (array.Count, array.ElementType));
            foreach (AmqpValue element in array)
            {
                Assert.True(element.Descriptor == 7ul && element.Undescribed == value && element == AmqpValue.Describe(7ul, value), hex);
                Assert.Equal([0x00, 0x53, 7, .. bytes], AmqpValueTests.Written(element));
            }

            Assert.True(array[1].Undescribed == value, hex);
        }
    }

    [Fact]
    public void A_described_constructor_inside_a_described_constructor_of_an_array_is_followed()
    {
        AmqpArray array = AmqpValueTests.Read(Convert.FromHexString("e00a02" + "005301" + "005302" + "54" + "ff05")).As<AmqpArray>();
        Assert.True(array[0] == AmqpValue.Describe(1ul, AmqpValue.Describe(2ul, -1)));
        Assert.True(array[1] == AmqpValue.Describe(1ul, AmqpValue.Describe(2ul, 5)));
    }

    [Fact]
    public void What_is_unknown_is_passed_over_by_its_category()
    {
        foreach (string hex in new[]
        {
            "4f",
            "5f01",
            "6f0102",
            "7f01020304",
            "8f0102030405060708",
            "9f" + new string('0', 32),
            "af0201ff",
            "bf00000001ff",
            "cf0100",
            "df0000000100",
            "ef0100",
            "ff00000000",
            "005fff5f01",
        })
        {
            byte[] bytes = Convert.FromHexString(hex + "41");
            var reader = new AmqpReader(bytes);
            reader.SkipValue();
            Assert.True(reader.ReadBoolean() && reader.IsAtEnd);
            if (hex[..2] != "00")
            {
                Assert.Equal(AmqpFormatError.UnknownCode, Assert.Throws<AmqpFormatException>(() => AmqpValueTests.Read(bytes)).Error);
            }
        }

        for (byte code = 1; code < 0x40; code++)
        {
            byte[] bytes = [code, 0, 0, 0, 0];
            Assert.Equal(AmqpFormatError.UnknownCode, Assert.Throws<AmqpFormatException>(() => new AmqpReader(bytes).SkipValueOf()).Error);
        }
    }
}

internal static class Skipping
{
    public static void SkipValueOf(this AmqpReader reader) => reader.SkipValue();
}

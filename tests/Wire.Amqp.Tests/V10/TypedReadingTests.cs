using System.Buffers;
using System.Text;
using Wire.Amqp.V10;
using Wire.Testing;

namespace Wire.Amqp.Tests.V10;

public sealed class TypedReadingTests
{
    private delegate AmqpValue Reading(ref AmqpReader reader);

    private static readonly (AmqpType Type, Reading Read, string[] Encodings)[] Readings =
    [
        (AmqpType.Boolean, (ref AmqpReader reader) => reader.ReadBoolean(), ["41", "42", "5600", "5601"]),
        (AmqpType.UByte, (ref AmqpReader reader) => reader.ReadByte(), ["50ff"]),
        (AmqpType.UShort, (ref AmqpReader reader) => reader.ReadUInt16(), ["60fffe"]),
        (AmqpType.UInt, (ref AmqpReader reader) => reader.ReadUInt32(), ["43", "52ff", "70fffffffe"]),
        (AmqpType.ULong, (ref AmqpReader reader) => reader.ReadUInt64(), ["44", "53ff", "80fffffffffffffffe"]),
        (AmqpType.Byte, (ref AmqpReader reader) => reader.ReadSByte(), ["51ff"]),
        (AmqpType.Short, (ref AmqpReader reader) => reader.ReadInt16(), ["61fffe"]),
        (AmqpType.Int, (ref AmqpReader reader) => reader.ReadInt32(), ["54ff", "5480", "71fffffffe"]),
        (AmqpType.Long, (ref AmqpReader reader) => reader.ReadInt64(), ["55ff", "5580", "81fffffffffffffffe"]),
        (AmqpType.Float, (ref AmqpReader reader) => reader.ReadSingle(), ["723fc00000"]),
        (AmqpType.Double, (ref AmqpReader reader) => reader.ReadDouble(), ["823ff8000000000000"]),
        (AmqpType.Decimal32, (ref AmqpReader reader) => reader.ReadDecimal32(), ["7432800001"]),
        (AmqpType.Decimal64, (ref AmqpReader reader) => reader.ReadDecimal64(), ["8431c0000000000001"]),
        (AmqpType.Decimal128, (ref AmqpReader reader) => reader.ReadDecimal128(), ["9430400000000000000000000000000001"]),
        (AmqpType.Char, (ref AmqpReader reader) => reader.ReadRune(), ["730001d11e"]),
        (AmqpType.Timestamp, (ref AmqpReader reader) => reader.ReadTimestamp(), ["83ffffffffffffffff"]),
        (AmqpType.Uuid, (ref AmqpReader reader) => reader.ReadGuid(), ["98000102030405060708090a0b0c0d0e0f"]),
        (AmqpType.Binary, (ref AmqpReader reader) => reader.ReadBinary(), ["a00101", "b00000000101"]),
        (AmqpType.Binary, (ref AmqpReader reader) => reader.ReadBinarySequence().ToArray(), ["a00101", "b00000000101"]),
        (AmqpType.String, (ref AmqpReader reader) => reader.ReadString(), ["a10161", "b10000000161"]),
        (AmqpType.Symbol, (ref AmqpReader reader) => reader.ReadSymbol(), ["a30161", "b30000000161"]),
        (AmqpType.List, (ref AmqpReader reader) => reader.ReadList(), ["45", "c0020140", "d0000000050000000140"]),
        (AmqpType.Map, (ref AmqpReader reader) => reader.ReadMap(), ["c103024041", "d100000006000000024041"]),
        (AmqpType.Array, (ref AmqpReader reader) => reader.ReadArray(), ["e003015401", "f0000000060000000154ff"]),
    ];

    [Fact]
    public void Every_encoding_of_the_type_is_read_and_every_other_type_named()
    {
        foreach ((AmqpType type, Reading read, string[] encodings) in Readings)
        {
            foreach (string hex in encodings)
            {
                byte[] bytes = Convert.FromHexString(hex);
                foreach (ReadOnlySequence<byte> split in Sequences.SplitEverywhere(bytes))
                {
                    var reader = new AmqpReader(split);
                    AmqpValue value = read(ref reader);
                    Assert.True(value == AmqpValueTests.Read(bytes) && value.Type == type && reader.IsAtEnd, hex);
                }

                for (int cut = 0; cut < bytes.Length; cut++)
                {
                    AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => ReadAll(read, bytes[..cut]));
                    Assert.True(e.Error == AmqpFormatError.Truncated && e.Missing >= 1 && e.Missing <= bytes.Length - cut, hex);
                }
            }

            foreach ((AmqpType other, _, string[] others) in Readings.Where(reading => reading.Type != type))
            {
                AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => ReadAll(read, Convert.FromHexString(others[0])));
                Assert.Equal((AmqpFormatError.UnexpectedType, 0L), (e.Error, e.Offset));
                Assert.StartsWith(
                    $"Expected {type.ToString().ToLowerInvariant()}, found {other.ToString().ToLowerInvariant()} (constructor " +
                    $"0x{others[0][..2]})", e.Message, StringComparison.Ordinal);
            }
        }
    }

    [Fact]
    public void Typed_writing_is_that_of_values()
    {
        byte[] bytes = new byte[300];
        var writer = new AmqpWriter(bytes);
        writer.WriteNull();
        writer.WriteBoolean(true);
        writer.WriteByte(255);
        writer.WriteSByte(-1);
        writer.WriteUInt16(0xfffe);
        writer.WriteInt16(-2);
        writer.WriteUInt32(0);
        writer.WriteUInt32(256);
        writer.WriteUInt64(255);
        writer.WriteUInt64(256);
        writer.WriteInt32(-128);
        writer.WriteInt32(128);
        writer.WriteInt64(127);
        writer.WriteInt64(-129);
        writer.WriteSingle(1.5f);
        writer.WriteDouble(1.5);
        writer.WriteDecimal32((Decimal32)1m);
        writer.WriteDecimal64((Decimal64)1m);
        writer.WriteDecimal128(1m);
        writer.WriteRune(new Rune(0x1d11e));
        writer.WriteTimestamp(new Timestamp(-1));
        writer.WriteGuid(new Guid("00010203-0405-0607-0809-0a0b0c0d0e0f"));
        writer.WriteBinary([1]);
        writer.WriteString("€");
        writer.WriteString(default);
        writer.WriteSymbol("hi");
        Assert.Equal(
            "40" +
                "41" +
                "50ff" +
                "51ff" +
                "60fffe" +
                "61fffe" +
                "43" +
                "7000000100" +
                "53ff" +
                "800000000000000100" +
                "5480" +
                "7100000080" +
                "557f"
            + "81ffffffffffffff7f" +
                "723fc00000" +
                "823ff8000000000000" +
                "7432800001" +
                "8431c0000000000001" +
                "9430400000000000000000000000000001"
            + "730001d11e" + "83ffffffffffffffff" + "98000102030405060708090a0b0c0d0e0f" + "a00101" + "a103e282ac" + "40" + "a3026869",
            Convert.ToHexStringLower(bytes.AsSpan(0, writer.Written)));
        Assert.Throws<ArgumentException>(() => new AmqpWriter(new byte[4]).WriteTo(5000));
    }

    [Fact]
    public void Null_is_asked_for_where_it_is_possible()
    {
        var reader = new AmqpReader(new byte[] { 0x40, 0x41 });
        Assert.True(reader.TryReadNull() && !reader.TryReadNull() && reader.ReadBoolean());
    }

    private static AmqpValue ReadAll(Reading read, byte[] bytes)
    {
        var reader = new AmqpReader(bytes);
        return read(ref reader);
    }
}

internal static class Writing
{
    public static void WriteTo(this AmqpWriter writer, int value) => writer.WriteInt32(value);
}

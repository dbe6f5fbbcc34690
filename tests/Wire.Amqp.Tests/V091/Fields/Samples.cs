using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.V091;

namespace Wire.Amqp.Tests.V091.Fields;

/// <summary>Values of fields, and the bytes that they are, written by hand.</summary>
internal static class Samples
{
    /// <summary>Any value, as an object: of every type, nested.</summary>
    public static Gen<object?> AnyObject { get; } = Gen.Sized(size => Object(Math.Min(size, 40), 3));

    /// <summary>Any fields with keys of their own.</summary>
    public static Gen<Dictionary<string, object?>> AnyFields { get; } = Gen.Sized(size => Fields(Math.Min(size, 40), 3));

    /// <summary>A value of every type: the octet of the type and the value in hex, the value, and the object that it becomes.</summary>
    public static TheoryData<string, FieldType, object?> Golden => new()
    {
        { "74 00", FieldType.Boolean, false },
        { "74 01", FieldType.Boolean, true },
        { "62 85", FieldType.SByte, (sbyte)-123 },
        { "42 85", FieldType.Byte, (byte)133 },
        { "73 FF FE", FieldType.Int16, (short)-2 },
        { "55 FF FE", FieldType.Int16AsSpecified, (short)-2 },
        { "75 FF FE", FieldType.UInt16, (ushort)65534 },
        { "49 80 00 00 00", FieldType.Int32, int.MinValue },
        { "69 80 00 00 00", FieldType.UInt32, 2147483648u },
        { "6C FF FF FF FF FF FF FF 38", FieldType.Int64, -200L },
        { "4C FF FF FF FF FF FF FF 38", FieldType.Int64AsSpecified, -200L },
        { "66 BF C0 00 00", FieldType.Single, -1.5f },
        { "64 40 09 21 FB 54 44 2D 18", FieldType.Double, Math.PI },
        { "44 02 00 00 04 D2", FieldType.Decimal, 12.34m },
        { "44 01 FF FF FF F1", FieldType.Decimal, -1.5m },
        { "44 1C 80 00 00 00", FieldType.Decimal, -0.0000000000000000002147483648m },
        { "53 00 00 00 03 61 C3 A9", FieldType.String, "aé" },
        { "53 00 00 00 00", FieldType.String, "" },
        { "41 00 00 00 09 74 01 56 73 00 05 62 80 56", FieldType.Array, new List<object?> { true, null, (short)5, (sbyte)-128, null } },
        { "54 00 00 00 00 65 53 F1 00", FieldType.Timestamp, new Timestamp(1_700_000_000) },
        {
            "46 00 00 00 09 01 61 42 07 01 62 73 00 05",
            FieldType.Table,
            new Dictionary<string, object?> { ["a"] = (byte)7, ["b"] = (short)5 }
        },
        { "56", FieldType.Void, null },
        { "78 00 00 00 02 FF 00", FieldType.Bytes, new byte[] { 255, 0 } },
    };

    /// <summary>The bytes of a text of hexadecimal digits and spaces.</summary>
    public static byte[] Hex(string hex) => Convert.FromHexString(hex.Replace(" ", ""));

    /// <summary>A table of one field with the key "k".</summary>
    public static byte[] Field(byte[] value) => [1, (byte)'k', .. value];

    /// <summary>So many tables in each other: each has the next one under an empty key.</summary>
    public static byte[] Nested(int depth, FieldType type)
    {
        int head = type == FieldType.Table ? 6 : 5;
        byte[] bytes = new byte[depth * head];
        for (int i = 0; i < depth; i++)
        {
            Span<byte> at = bytes.AsSpan(i * head);
            at[head - 5] = (byte)type;
            NetworkOrder.Write(at[(head - 4)..], (uint)(bytes.Length - ((i + 1) * head)));
        }

        return bytes;
    }

    private static Gen<object?> Object(int size, int depth) => depth == 0
        ? Scalar
        : Gen.Frequency(
            (8, Scalar),
            (1, Fields(size / 2, depth - 1).Select(fields => (object?)fields)),
            (1, Object(size / 2, depth - 1).ListOf().Resize(size / 4).Select(values => (object?)values.ToList())));

    private static Gen<Dictionary<string, object?>> Fields(int size, int depth) =>
        from fields in Gen.Zip(Key, Object(size, depth)).ListOf().Resize(size)
        select fields.DistinctBy(field => field.Item1).ToDictionary(field => field.Item1, field => field.Item2);

    private static Gen<string> Text { get; } = ArbMap.Default.GeneratorFor<NonNull<string>>()
        .Select(any => string.Concat(any.Get.EnumerateRunes().Where(rune => rune != Rune.ReplacementChar)));

    private static Gen<string> Key { get; } = Text.Where(text => Encoding.UTF8.GetByteCount(text) <= 255);

    private static Gen<object?> Scalar { get; } = Gen.OneOf(
        Gen.Constant<object?>(null),
        Of<bool>(),
        Of<sbyte>(),
        Of<byte>(),
        Of<short>(),
        Of<ushort>(),
        Of<int>(),
        Of<uint>(),
        Of<long>(),
        Of<float>().Where(value => float.IsFinite((float)value!)),
        Of<double>().Where(value => double.IsFinite((double)value!)),
        Gen.Zip(ArbMap.Default.GeneratorFor<int>(), Gen.Choose(0, 28)).Select(
            both => (object?)(Math.Abs((long)both.Item1) % int.MaxValue * new decimal(1, 0, 0, false, (byte)both.Item2))),
        Of<long>().Select(seconds => (object?)new Timestamp((long)seconds!)),
        Of<byte[]>(),
        Text.Select(text => (object?)text));

    private static Gen<object?> Of<T>() => ArbMap.Default.GeneratorFor<T>().Select(value => (object?)value);
}

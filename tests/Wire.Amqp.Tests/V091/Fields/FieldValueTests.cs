using System.Globalization;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.V091;

namespace Wire.Amqp.Tests.V091.Fields;

public sealed class FieldValueTests
{
    public static TheoryData<string, FieldType, object?> Golden => Samples.Golden;

    [Theory]
    [MemberData(nameof(Golden))]
    public void Each_type_is_read_as_its_bytes_say(string hex, FieldType type, object? expected)
    {
        FieldValue value = new FieldTable(Samples.Field(Samples.Hex(hex)))["k"];
        Assert.Equal(type, value.Type);
        Assert.Equal(Samples.Hex(hex)[0], (byte)type);
        Assert.Equal(expected, value.ToObject());
        Assert.Equal(expected?.GetType(), value.ToObject()?.GetType());
        Assert.Equal([expected], new FieldArray(Samples.Hex(hex)).ToList());
    }

    [Theory]
    [MemberData(nameof(Golden))]
    public void Each_type_is_written_as_its_bytes_say(string hex, FieldType type, object? value)
    {
        var read = new FieldTable(Samples.Field(Samples.Hex(hex)));
        var copy = new FieldTableBuilder();
        copy.Add("k", read["k"]);
        Assert.Equal(read.Encoded.ToArray(), copy.Table.Encoded.ToArray());
        Assert.Equal(read, copy.ToTable());
        if (value is < 0m)
        {
            ArgumentException refused = Assert.Throws<ArgumentException>(() => FieldTable.Create([new("k", value)]));
            Assert.Contains("'k'", refused.Message, StringComparison.Ordinal);
        }
        else if (IsChosen(type))
        {
            Assert.Equal(read, FieldTable.Create([new("k", value)]));
            Assert.Equal(FieldValue.From(value), read["k"]);
            Assert.Equal(FieldValue.From(value).GetHashCode(), read["k"].GetHashCode());
        }
    }

    [Theory]
    [MemberData(nameof(Golden))]
    public void Each_type_is_given_by_its_own_accessor_only(string hex, FieldType type, object? expected)
    {
        FieldValue value = new FieldTable(Samples.Field(Samples.Hex(hex)))["k"];
        Check(expected is bool, () => value.AsBoolean());
        Check(expected is sbyte or byte or short or ushort or int or uint or long, () => value.AsInt64());
        Check(expected is float or double, () => value.AsDouble());
        Check(expected is decimal, () => value.AsDecimal());
        Check(expected is string, () => value.AsString().ToString());
        Check(expected is Timestamp, () => value.AsTimestamp());
        Check(type == FieldType.Table, () => value.AsTable().ToDictionary());
        Check(type == FieldType.Array, () => value.AsArray().ToList());
        if (type != FieldType.String)
        {
            Check(type == FieldType.Bytes, () => value.AsBytes().ToArray());
        }

        Assert.Equal(expected is null, value.IsVoid);

        void Check(bool fits, Func<object> read)
        {
            if (fits)
            {
                Assert.Equal(
                    expected is IConvertible ? Convert.ChangeType(expected, read().GetType(), CultureInfo.InvariantCulture) : expected,
                    read());
                return;
            }

            AmqpFormatException e = Assert.Throws<AmqpFormatException>(read);
            Assert.Equal((AmqpFormatError.UnexpectedType, 2), (e.Error, e.Offset));
            Assert.Contains($"found {type} ('{(char)type}')", e.Message);
        }
    }

    [Fact]
    public void A_text_gives_its_bytes_whatever_they_are()
    {
        FieldValue value = new FieldTable(Samples.Hex("00 53 00 00 00 02 FF 00"))[""];
        Assert.Equal([255, 0], value.AsBytes().ToArray());
        Assert.Equal([255, 0], Assert.IsType<byte[]>(value.ToObject()));
        Assert.Equal([255, 0], Assert.IsType<byte[]>(new FieldTable(Samples.Hex("00 53 00 00 00 02 FF 00")).ToDictionary()[""]));
        Assert.Equal("\0", new FieldTable(Samples.Hex("00 53 00 00 00 01 00"))[""].ToObject());
        Assert.Equal("\uFFFD", new FieldTable(Samples.Hex("00 53 00 00 00 03 EF BF BD"))[""].ToObject());
    }

    [Fact]
    public void Any_octet_but_0_is_true_and_written_as_1()
    {
        FieldValue value = new FieldTable(Samples.Hex("00 74 80"))[""];
        Assert.True(value.AsBoolean());
        Assert.Equal((FieldValue)true, value);
    }

    [Fact]
    public void The_default_is_no_value()
    {
        Assert.True(default(FieldValue).IsVoid);
        Assert.Equal(default, (FieldValue)(string?)null);
        Assert.Equal(default, (FieldValue)(byte[]?)null);
        Assert.Equal(default, (FieldValue)default(AmqpString));
        Assert.Equal(default, FieldValue.From(null));
        Assert.Equal(-1, Assert.Throws<AmqpFormatException>(() => default(FieldValue).AsInt64()).Offset);
        Assert.Equal((FieldValue)default(FieldTable), (FieldValue)new FieldTable(new byte[2].AsMemory(1, 0)));
        Assert.Equal(FieldType.Bytes, ((FieldValue)default(ReadOnlyMemory<byte>)).Type);
    }

    [Fact]
    public void Two_values_are_equal_when_their_bytes_are() => Prop.ForAll(Arb.From(Gen.Zip(Samples.AnyObject, Samples.AnyObject)), both =>
    {
        FieldTable left = FieldTable.Create([new("", both.Item1)]);
        FieldTable right = FieldTable.Create([new("", both.Item2)]);
        bool same = left.Encoded.Span.SequenceEqual(right.Encoded.Span);
        Assert.Equal(same, left[""] == right[""]);
        Assert.Equal(same, FieldValue.From(both.Item1) == right[""]);
        Assert.True(FieldValue.From(both.Item1).Equals((object)left[""]) && !(left[""] != FieldValue.From(both.Item1)));
        Assert.Equal(left[""].GetHashCode(), FieldValue.From(both.Item1).GetHashCode());
        Assert.Equal(left[""].ToString(), FieldValue.From(both.Item1).ToString());
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void A_decimal_has_31_bits_and_no_sign_that_clients_do_not_agree_on()
    {
        foreach (decimal fits in (decimal[])[0, 1.50m, -0.0m, int.MaxValue, 0.0000000000000000002147483647m])
        {
            FieldValue value = fits;
            Assert.Equal(fits, value.AsDecimal());
            Assert.Equal(fits.Scale, value.AsDecimal().Scale);
        }

        foreach (decimal tooLarge in (decimal[])[2147483648m, 4294967296m, 21474836480.0m, decimal.MaxValue])
        {
            Assert.Contains("31 bits", Assert.Throws<ArgumentException>(() => (FieldValue)tooLarge).Message);
        }

        foreach (decimal negative in (decimal[])[-0.01m, -1m, int.MinValue, decimal.MinValue])
        {
            Assert.Contains("a text or a double", Assert.Throws<ArgumentException>(() => (FieldValue)negative).Message);
        }
    }

    [Fact]
    public void A_decimal_of_too_many_places_does_no_harm_before_it_is_asked_for()
    {
        var table = new FieldTable(Samples.Hex("01 61 44 1D 00 00 00 01 01 62 42 01"));
        Assert.Equal(1, table["b"].AsInt64());
        Assert.Equal("1e-29", table["a"].ToString());
        AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => table["a"].AsDecimal());
        Assert.Equal((AmqpFormatError.Value, 2), (e.Error, e.Offset));
        Assert.Equal(AmqpFormatError.Value, Assert.Throws<AmqpFormatException>(table.ToDictionary).Error);
    }

    [Fact]
    public void What_no_field_can_have_is_named()
    {
        ArgumentException e = Assert.Throws<ArgumentException>(
            () => FieldTable.Create([new("outer", new Dictionary<string, object?> { ["when"] = Guid.Empty })]));
        Assert.Contains("'when'", e.Message);
        Assert.Contains("System.Guid", e.Message);
        Assert.Contains("System.UInt64", Assert.Throws<ArgumentException>(() => FieldValue.From(1UL)).Message);
        Assert.Contains(
            "System.Char", Assert.Throws<ArgumentException>(() => FieldTable.Create([new("list", new object[] { 'x' })])).Message);
        Assert.Contains(
            "System.Int32", Assert.Throws<ArgumentException>(() => FieldValue.From(new Dictionary<int, string> { [1] = "" })).Message);
        Assert.Throws<ArgumentException>(() => FieldTable.Create([new(null!, 1)]));
        var self = new List<object?>();
        self.Add(self);
        Assert.Throws<InvalidOperationException>(() => FieldValue.From(self));
        Assert.Throws<InvalidOperationException>(() => FieldArray.Create(self));
    }

    [Fact]
    public void Collections_of_any_kind_are_tables_and_arrays()
    {
        Assert.Equal(FieldTable.Create([new("a", "b")]), FieldValue.From(new Dictionary<string, string> { ["a"] = "b" }).AsTable());
        Assert.Equal(FieldArray.Create(new[] { 1, 2 }), FieldValue.From(new HashSet<int> { 1, 2 }).AsArray());
        Assert.Equal([1, 2], FieldValue.From(new[] { 1, 2 }).AsArray().ToList().Cast<int>());
    }

    [Fact]
    public void Bytes_outside_the_managed_heap_are_kept()
    {
        using var native = new NativeMemory([1, 2, 3]);
        Assert.Equal([1, 2, 3], ((FieldValue)(ReadOnlyMemory<byte>)native.Memory).AsBytes().ToArray());
    }

    [Fact]
    public void Text_for_people_names_small_values_and_sizes()
    {
        Assert.Equal("\"x\"", ((FieldValue)"x").ToString());
        Assert.Equal("-5", ((FieldValue)(-5)).ToString());
        Assert.Equal("1.5", ((FieldValue)1.5).ToString());
        Assert.Equal("void", default(FieldValue).ToString());
        Assert.Equal("Bytes ('x') of 2 bytes", ((FieldValue)new byte[2]).ToString());
        Assert.Equal("Table ('F') of 4 bytes", ((FieldValue)FieldTable.Create([new("a", (byte)1)])).ToString());
    }

    private static bool IsChosen(FieldType type) => type is not (FieldType.Int16AsSpecified or FieldType.Int64AsSpecified);
}

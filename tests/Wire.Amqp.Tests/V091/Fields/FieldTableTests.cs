using System.Buffers;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Tests.V091.Fields;

public sealed class FieldTableTests
{
    public static TheoryData<string, FieldType, object?> Golden => Samples.Golden;

    [Fact]
    public void A_table_that_no_array_holds_is_refused_before_memory_is_asked_for()
    {
        var reader = new AmqpReader(Sequences.Huge([0x7f, 0xff, 0xff, 0xff], 1L << 31));
        AmqpFormatException? e = null;
        try
        {
            FieldTable.Read(ref reader);
        }
        catch (AmqpFormatException thrown)
        {
            e = thrown;
        }

        Assert.Equal((AmqpFormatError.Length, 0L, 0L), (e?.Error, e?.Offset, e?.Missing));
    }

    [Fact]
    public void Any_fields_are_read_as_they_were_written() => Prop.ForAll(Arb.From(Samples.AnyFields), fields =>
    {
        FieldTable table = FieldTable.Create(fields);
        Assert.Equal(fields, table.ToDictionary());
        Assert.Equal(fields.Count, table.Count);
        Assert.Equal(fields.Count == 0, table.IsEmpty);
        Assert.Equal(table, FieldTable.Create(table.ToDictionary()));
        Assert.Equal(table.GetHashCode(), FieldTable.Create(fields).GetHashCode());
        var copy = new FieldTableBuilder();
        foreach ((AmqpString key, FieldValue value) in table)
        {
            Assert.Equal(fields[key.ToString()], value.ToObject());
            Assert.Equal(value, table[key]);
            Assert.Equal(value, table[key.ToString()]);
            copy.Add(key, value);
        }

        Assert.True(copy.Table == table && !(copy.Table != table) && copy.Table.Equals((object)table));
        Assert.False(table.TryGetValue(new string('x', 256), out _));
    }).QuickCheckThrowOnFailure();

    [Theory]
    [MemberData(nameof(Golden))]
    public void What_ends_before_its_length_says_is_an_error(string hex, FieldType type, object? value)
    {
        byte[] whole = Samples.Field(Samples.Hex(hex));
        Assert.Equal(value, new FieldTable(whole)["k"].ToObject());
        Assert.Equal((byte)type, whole[2]);
        for (int cut = 1; cut < whole.Length; cut++)
        {
            // Where the array ends with the table, and where it goes on.
            byte[] part = whole[..cut];
            foreach (FieldTable table in (FieldTable[])[new(part), new(((byte[])[9, 9, .. whole, 9]).AsMemory(2, cut))])
            {
                CheckDamaged(table, AmqpFormatError.Length);
            }
        }
    }

    [Fact]
    public void Any_table_that_is_cut_or_changed_anywhere_is_read_or_an_error() =>
        Prop.ForAll(Arb.From(Gen.Zip(Samples.AnyFields, Gen.Choose(0, 255))), both =>
    {
        byte[] bytes = FieldTable.Create(both.Item1).Encoded.ToArray();
        for (int at = 0; at < bytes.Length; at++)
        {
            byte[] part = bytes[..at];
            Walk(new FieldTable(part));
            byte[] changed = [.. bytes];
            changed[at] = (byte)both.Item2;
            Walk(new FieldTable(changed));
        }
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void An_octet_that_is_no_type_is_named()
    {
        HashSet<byte> known = [.. Enum.GetValues<FieldType>().Select(type => (byte)type)];
        Assert.Equal("ABDFILSTUVbdfilstux", string.Concat(known.Order().Select(octet => (char)octet)));
        for (int octet = 0; octet <= byte.MaxValue; octet++)
        {
            if (!known.Contains((byte)octet))
            {
                AmqpFormatException e =
                    CheckDamaged(new FieldTable(Samples.Field([(byte)octet, 0, 0, 0, 0, 0, 0, 0, 0])), AmqpFormatError.UnknownCode);
                Assert.Equal(2, e.Offset);
                Assert.Contains($"0x{octet:X2}", e.Message);
            }
        }
    }

    [Theory]
    [InlineData("05 61", 1, "a key of 5 bytes, and 1 are left")]
    [InlineData("01 61", 2, "the type of a field of 1 bytes, and 0 are left")]
    [InlineData("01 61 49 00 00", 3, "the value of a field of 4 bytes, and 2 are left")]
    [InlineData("01 61 53 00", 3, "the length of a value of 4 bytes, and 1 are left")]
    [InlineData("01 61 53 00 00 00 09 78", 7, "String ('S') of 9 bytes, and 1 are left")]
    [InlineData("01 61 53 ff ff ff ff 78", 7, "String ('S') of 4294967295 bytes, and 1 are left")]
    [InlineData("01 61 46 00 00 00 02", 7, "Table ('F') of 2 bytes, and 0 are left")]
    public void Errors_say_what_was_expected_and_how_much_is_left(string hex, int offset, string expected)
    {
        byte[] bytes = Samples.Hex(hex);
        foreach (int behind in new[] { 0, 20 })
        {
            // Where the array ends with the table, and where more of it follows.
            byte[] whole = [7, 7, 7, .. bytes, .. new byte[behind]];
            AmqpFormatException e = CheckDamaged(new FieldTable(whole.AsMemory(3, bytes.Length)), AmqpFormatError.Length);
            Assert.Contains($"Expected {expected} of the table or array that contains it", e.Message, StringComparison.Ordinal);
            Assert.Equal(offset, e.Offset);
        }
    }

    [Fact]
    public void A_field_without_a_value_is_the_same_whatever_follows_it()
    {
        var table = new FieldTable(Samples.Hex("01 61 56  01 62 49 00 00 00 07  01 63 56  01 64 6c 11 22 33 44 55 66 77 88"));
        Assert.Equal(default, table["a"]);
        Assert.Equal(table["a"], table["c"]);
        Assert.Equal(table["a"].GetHashCode(), table["c"].GetHashCode());
    }

    [Fact]
    public void Errors_name_the_place_in_the_whole_input()
    {
        // 3 bytes, the length, the field "t" with a table, in it the field "a" with an array, in it a text that is too long.
        byte[] bytes = Samples.Hex("00 00 00  00 00 00 15  01 74 46 00 00 00 0E  01 61 41 00 00 00 07  74 01 53 00 00 00 01");
        foreach (ReadOnlySequence<byte> split in Sequences.SplitEverywhere(bytes))
        {
            var reader = new AmqpReader(split, 100);
            reader.Skip(3);
            FieldTable table = FieldTable.Read(ref reader);
            AmqpFormatException e = Assert.Throws<AmqpFormatException>(table.ToDictionary);
            Assert.Equal((AmqpFormatError.Length, 128, 0), (e.Error, e.Offset, e.Missing));
            Assert.Equal(121, Assert.Throws<AmqpFormatException>(() => First(table["t"].AsTable()["a"].AsArray()).AsString()).Offset);
        }

        static FieldValue First(FieldArray array)
        {
            FieldArray.Enumerator values = array.GetEnumerator();
            Assert.True(values.MoveNext());
            return values.Current;
        }
    }

    [Fact]
    public void A_table_among_the_arguments_of_a_method_may_be_split_anywhere() => Prop.ForAll(Arb.From(Samples.AnyFields), fields =>
    {
        FieldTable written = FieldTable.Create(fields);
        var declare = new QueueDeclare { Queue = "q1", Durable = true, Arguments = written };
        byte[] bytes = new byte[FrameWriter.SizeOf(declare)];
        FrameWriter.Write(bytes, 1, declare);
        foreach (ReadOnlySequence<byte> split in Sequences.SplitEverywhere(bytes))
        {
            Assert.Equal(fields, ReadDeclared(split).ToDictionary());
        }

        Assert.Equal(written, ReadDeclared(Sequences.Chunked(bytes, 1)));

        // The table alone: its input may go on.
        byte[] alone = new byte[sizeof(uint) + written.Encoded.Length];
        var writer = new AmqpWriter(alone);
        written.Write(ref writer);
        Assert.Equal(alone.Length, writer.Written);
        for (int cut = 0; cut < alone.Length; cut++)
        {
            ReadOnlySequence<byte> part = Sequences.Chunked(alone[..cut], 7);
            AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => Read(part));
            Assert.Equal(AmqpFormatError.Truncated, e.Error);
            Assert.InRange(e.Missing, 1, alone.Length - cut);
        }
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void The_first_of_fields_with_the_same_key_is_found_and_all_are_kept()
    {
        var table = new FieldTable(Samples.Hex("01 61 42 01 01 61 42 02"));
        Assert.Equal(2, table.Count);
        Assert.Equal(1, table["a"].AsInt64());
        Assert.Equal(new Dictionary<string, object?> { ["a"] = (byte)1 }, table.ToDictionary());
    }

    [Fact]
    public void A_key_that_is_not_there_is_not_found()
    {
        FieldTable table = FieldTable.Create([new("ä", 1), new("", 2)]);
        Assert.Equal(1, table["ä"].AsInt64());
        Assert.Equal(2, table[""].AsInt64());
        Assert.False(table.TryGetValue("a", out FieldValue none));
        Assert.True(none.IsVoid);
        Assert.Contains("'a'", Assert.Throws<KeyNotFoundException>(() => table["a"]).Message);
        Assert.Throws<ArgumentException>(() => table.TryGetValue(null, out _));
        Assert.False(default(FieldTable).TryGetValue("a", out _));
        Assert.Empty(default(FieldTable).ToDictionary());
        Assert.True(default(FieldTable).IsEmpty && default(FieldTable) == new FieldTable(Array.Empty<byte>()));
    }

    [Fact]
    public void Fields_before_damaged_ones_can_be_read()
    {
        var table = new FieldTable(Samples.Hex("01 61 42 07 01 62 53 FF FF FF FF"));
        Assert.Equal(7, table["a"].AsInt64());
        AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => table["b"]);
        Assert.Equal((AmqpFormatError.Length, 11), (e.Error, e.Offset));
        Assert.Throws<AmqpFormatException>(() => table.Count);
    }

    [Theory]
    [InlineData(FieldType.Table)]
    [InlineData(FieldType.Array)]
    public void A_hundred_thousand_in_each_other_cost_no_stack_and_of_each_only_its_own_bytes_are_read(FieldType type)
    {
        const int Levels = 100_000;
        byte[] bytes = Samples.Nested(Levels, type);

        // The length of the innermost: whoever looks further than asked finds an error.
        bytes.AsSpan(^4).Fill(0xFF);
        FieldValue outermost = type == FieldType.Table ? new FieldTable(bytes) : new FieldArray(bytes);
        FieldValue value = outermost;
        for (int level = 1; level < Levels; level++)
        {
            value = Only(value);
        }

        AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => Only(value));
        Assert.Equal((AmqpFormatError.Length, bytes.Length), (e.Error, e.Offset));
        Assert.Equal(AmqpFormatError.Depth, Assert.Throws<AmqpFormatException>(() => outermost.ToObject()).Error);
        Assert.True(outermost.Equals(outermost) && outermost.GetHashCode() != 0 && outermost.ToString().Length < 100);

        FieldValue Only(FieldValue value)
        {
            if (type == FieldType.Table)
            {
                FieldTable table = value.AsTable();
                return table.Count == 1 ? table[""] : default;
            }

            FieldArray array = value.AsArray();
            FieldArray.Enumerator values = array.GetEnumerator();
            return array.Count == 1 && values.MoveNext() ? values.Current : default;
        }
    }

    [Theory]
    [InlineData(FieldType.Table, 6)]
    [InlineData(FieldType.Array, 5)]
    public void Materializing_follows_64_and_no_more(FieldType type, int head)
    {
        Assert.NotNull(Of(Samples.Nested(63, type)).ToObject());
        AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => Of(Samples.Nested(64, type)).ToObject());
        Assert.Equal((AmqpFormatError.Depth, 64 * head), (e.Error, e.Offset));
        Assert.Contains("nested deeper than 64", e.Message, StringComparison.Ordinal);

        FieldValue Of(byte[] bytes) => type == FieldType.Table ? new FieldTable(bytes) : new FieldArray(bytes);
    }

    [Fact]
    public void Walking_nine_fields_allocates_nothing()
    {
        FieldTable table = FieldTable.Create(
        [
            new("boolean", true), new("int", 1), new("long", 2L), new("double", 3.5), new("text", "four"), new("bytes", new byte[5]),
            new("time", new Timestamp(6)), new(
                "table", new Dictionary<string, object?> { ["a"] = 7 }), new("array", new object?[] { 8, null }),
        ]);
        AmqpString last = "array";
        long sum = 0;
        Allocations.AssertNone(() => sum = Sum());
        Assert.Equal(1 + 2 + 4 + 5 + 6 + 7 + 8 + 9 + 2, sum);

        long Sum()
        {
            long sum = table.Count + table[last].AsArray().Count;
            foreach ((AmqpString key, FieldValue value) in table)
            {
                sum += value.Type switch
                {
                    FieldType.Int32 or FieldType.Int64 => value.AsInt64(),
                    FieldType.String => value.AsString().ByteCount,
                    FieldType.Bytes => value.AsBytes().Length,
                    FieldType.Timestamp => value.AsTimestamp().Seconds,
                    FieldType.Table => value.AsTable()["a"].AsInt64(),
                    FieldType.Array => First(value.AsArray()),
                    _ => key.IsEmpty ? 1 : 0,
                };
            }

            return sum;
        }

        static long First(FieldArray array)
        {
            foreach (FieldValue value in array)
            {
                return value.AsInt64();
            }

            return 0;
        }
    }

    private static FieldTable ReadDeclared(in ReadOnlySequence<byte> bytes)
    {
        var frames = new FrameReader(bytes, int.MaxValue);
        Assert.True(frames.TryRead(out Frame frame));
        QueueDeclare declare = frame.ReadMethod<QueueDeclare>();
        Assert.True(declare.Durable && !declare.Exclusive && declare.Queue == "q1");
        return declare.Arguments;
    }

    private static FieldTable Read(in ReadOnlySequence<byte> bytes)
    {
        var reader = new AmqpReader(bytes);
        return FieldTable.Read(ref reader);
    }

    // Every way of walking sees the same error.
    private static AmqpFormatException CheckDamaged(FieldTable table, AmqpFormatError error)
    {
        AmqpFormatException e = Assert.Throws<AmqpFormatException>(table.ToDictionary);
        Assert.Equal((error, 0), (e.Error, e.Missing));
        Assert.InRange(e.Offset, 0, table.Encoded.Length);
        Assert.Equal(e.Message, Assert.Throws<AmqpFormatException>(() => table.Count).Message);
        Assert.Equal(e.Message, Assert.Throws<AmqpFormatException>(() => table.TryGetValue("other", out _)).Message);
        Assert.Equal(e.Message, Assert.Throws<AmqpFormatException>(() =>
        {
            foreach ((_, _) in table)
            {
            }
        }).Message);
        return e;
    }

    private static void Walk(FieldTable table)
    {
        try
        {
            table.ToDictionary();
        }
        catch (AmqpFormatException e)
        {
            Assert.InRange(e.Offset, 0, table.Encoded.Length);
            Assert.NotEqual(AmqpFormatError.Truncated, e.Error);
        }
    }
}

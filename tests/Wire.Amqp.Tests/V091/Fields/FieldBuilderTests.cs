using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Tests.V091.Fields;

public sealed class FieldBuilderTests
{
    [Fact]
    public void Nested_in_place_and_made_before_are_the_same_bytes() => Prop.ForAll(Arb.From(Samples.AnyFields), fields =>
    {
        FieldTable inner = FieldTable.Create(fields);
        var array = new FieldArrayBuilder();
        array.Add(inner);
        array.Add(1);
        var whole = new FieldTableBuilder();
        whole.Add("array", array.Array);
        whole.Add("table", inner);

        var place = new FieldTableBuilder();
        place.BeginArray("array");
        place.BeginTable();
        AddAll();
        place.End();
        place.Add(1);
        place.End();
        place.BeginTable("table");
        AddAll();
        place.End();
        Assert.Equal(whole.Table, place.Table);
        Assert.Equal(array.ToArray(), place.Table["array"].AsArray());
        FieldTable kept = place.ToTable();
        place.Clear();
        place.Add("other", 1);
        Assert.Equal(whole.Table, kept);

        void AddAll()
        {
            foreach ((string key, object? value) in fields)
            {
                place.Add(key, FieldValue.From(value));
            }
        }
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void What_fails_leaves_the_builder_as_it_was()
    {
        var builder = new FieldTableBuilder();
        builder.Add("before", 1);
        Assert.Throws<ArgumentException>(() => builder.Add(new string('k', 256), 1));
        Assert.Throws<ArgumentException>(() => builder.Add(new string('é', 128), 1));
        Assert.Throws<ArgumentException>(() => builder.Add("half\ud83d", 1));
        Assert.Throws<ArgumentException>(() => builder.Add(null, 1));
        Assert.Throws<ArgumentException>(() => builder.Add("text", "half\ud83d"));
        Assert.Throws<ArgumentException>(() => builder.Add("text", new string('x', 5000) + "\ud83d"));
        Assert.Throws<ArgumentException>(() => builder.BeginTable(new string('k', 256)));
        Assert.Throws<ArgumentException>(() => builder.BeginArray(default));
        Assert.Throws<InvalidOperationException>(() => builder.Add(1));
        Assert.Throws<InvalidOperationException>(() => builder.BeginTable());
        Assert.Throws<InvalidOperationException>(() => builder.BeginArray());
        Assert.Throws<InvalidOperationException>(builder.End);
        Assert.Equal(FieldTable.Create([new("before", 1)]), builder.Table);

        builder.BeginArray("array");
        Assert.Throws<InvalidOperationException>(() => builder.Add("key", 1));
        Assert.Throws<InvalidOperationException>(() => builder.BeginTable("key"));
        Assert.Contains("End", Assert.Throws<InvalidOperationException>(() => builder.Table).Message);
        Assert.Throws<InvalidOperationException>(() => builder.ToTable());
        builder.End();
        builder.Add("after", 2);
        Assert.Equal(FieldTable.Create([new("before", 1), new("array", Array.Empty<int>()), new("after", 2)]), builder.Table);
        var array = new FieldArrayBuilder();
        Assert.Throws<InvalidOperationException>(() => array.Add("key", 1));
        Assert.True(array.Array.IsEmpty && array.ToArray().Count == 0);
    }

    [Fact]
    public void Objects_that_are_fields_already_stay_what_they_are()
    {
        var table = FieldTable.Create([new("k", 1)]);
        var array = new FieldArrayBuilder();
        array.Add(2);
        (object Given, FieldValue Expected)[] values =
        [
            ((AmqpString)"text", "text"),
            ((ReadOnlyMemory<byte>)new byte[] { 1, 2 }, new byte[] { 1, 2 }),
            (new Timestamp(7), new Timestamp(7)),
            (table, table),
            (array.ToArray(), array.ToArray()),
            ((FieldValue)5u, 5u),
        ];
        foreach ((object given, FieldValue expected) in values)
        {
            Assert.Equal(expected, FieldValue.From(given));
            Assert.Equal(expected, FieldTable.Create([new("value", given)])["value"]);
        }
    }

    [Fact]
    public void An_object_that_is_no_field_is_named_with_its_key()
    {
        const string Advice = "which AMQP 0-9-1 does not have: convert it to a type that it has, such as long or string.";
        Dictionary<string, object?> fields = new() { ["outer"] = new object[] { new Version(1, 2) } };
        Assert.Equal(
            $"The value at 'outer' is of type System.Version, {Advice}",
            Assert.Throws<ArgumentException>(() => FieldTable.Create(fields)).Message);
        Assert.Equal(
            $"The value is of type System.Version, {Advice}",
            Assert.Throws<ArgumentException>(() => FieldValue.From(new Version(1, 2))).Message);
        Assert.Equal(
            "The key of a field is null.",
            Assert.Throws<ArgumentException>(() => FieldTable.Create(new KeyValuePair<string, object?>[] { new(null!, 1) })).Message);
    }

    [Fact]
    public void A_key_takes_up_to_255_bytes()
    {
        var builder = new FieldTableBuilder();
        string ascii = new('k', 255);
        string two = new string('é', 127) + "k";
        builder.Add(ascii, 1);
        builder.Add(two, 2);
        Assert.Equal(1, builder.Table[ascii].AsInt64());
        Assert.Equal(2, builder.Table[two].AsInt64());
    }

    [Fact]
    public void Texts_of_any_length_fit()
    {
        var builder = new FieldTableBuilder();
        for (int length = 0; length < 1500; length += 7)
        {
            foreach (string text in (string[])[new('a', length), new('ß', length), new('€', length)])
            {
                builder.Clear();
                builder.Add("k", text);
                builder.Add("end", true);
                Assert.Equal(text, builder.Table["k"].AsString().ToString());
                Assert.True(builder.Table["end"].AsBoolean());
                var fresh = new FieldTableBuilder();
                fresh.Add("k", text);
                fresh.Add("end", true);
                Assert.Equal(builder.Table, fresh.Table);
            }
        }
    }

    [Fact]
    public void Texts_are_encoded_wherever_they_are_not_ASCII()
    {
        var builder = new FieldTableBuilder();
        for (int length = 0; length < 140; length += length < 40 ? 1 : 11)
        {
            string ascii = string.Concat(Enumerable.Range(0, length).Select(i => (char)(' ' + (i % 95))));
            Check(ascii);
            for (int at = 0; at < length; at++)
            {
                // Of these, the lowest byte alone looks like ASCII in the first two.
                foreach (string other in (string[])["\u0100", "\u4141", "\u0080", "é", "\U0001F600"])
                {
                    Check(ascii.Remove(at, 1).Insert(at, other));
                }

                string half = ascii.Remove(at, 1).Insert(at, "\ud83d");
                Assert.Throws<ArgumentException>(() => builder.Add(half, 1));
                Assert.Throws<ArgumentException>(() => builder.Add("text", half));
            }
        }

        void Check(string text)
        {
            byte[] utf8 = Encoding.UTF8.GetBytes(text);
            builder.Clear();
            builder.Add(text, 1);
            builder.Add(new AmqpString(utf8), text);
            byte[] field = [(byte)utf8.Length, .. utf8];
            byte[] expected = [.. field, (byte)'I', 0, 0, 0, 1, .. field, (byte)'S', 0, 0, 0, .. field];
            Assert.Equal(expected, builder.Table.Encoded.ToArray());
        }
    }

    [Fact]
    public void A_builder_can_add_what_it_has_built()
    {
        var builder = new FieldTableBuilder();
        builder.Add("text", new string('x', 100));
        for (int i = 0; i < 8; i++)
        {
            FieldTable before = builder.ToTable();
            builder.Add("again", builder.Table);
            builder.Clear();
            builder.Add("again", before);
            Assert.Equal(before, builder.Table["again"].AsTable());
            builder.Add("twice", builder.Table);
            Assert.Equal(before, builder.Table["twice"].AsTable()["again"].AsTable());
        }
    }

    [Fact]
    public void Sixty_four_in_each_other_and_no_more()
    {
        var builder = new FieldTableBuilder();
        for (int i = 0; i < 63; i++)
        {
            builder.BeginTable("t");
        }

        Assert.Contains("64", Assert.Throws<InvalidOperationException>(() => builder.BeginTable("t")).Message);
        for (int i = 0; i < 63; i++)
        {
            builder.End();
        }

        Assert.Single(builder.Table.ToDictionary());
        builder.BeginArray("a");
        builder.Clear();
        Assert.True(builder.Table.IsEmpty);
    }

    [Fact]
    public void Building_in_a_reused_builder_allocates_nothing()
    {
        var builder = new FieldTableBuilder();
        byte[] bytes = new byte[10];
        Build();
        FieldTable expected = builder.ToTable();
        bool same = true;
        Allocations.AssertNone(() =>
        {
            Build();
            same &= builder.Table == expected;
        });
        Assert.True(same);
        Assert.Equal(9, expected.Count);

        void Build()
        {
            builder.Clear();
            builder.Add("boolean", true);
            builder.Add("int", 1);
            builder.Add("double", 2.5);
            builder.Add("decimal", 3.5m);
            builder.Add("text", "vier €");
            builder.Add("bytes", bytes);
            builder.Add("time", new Timestamp(6));
            builder.BeginTable("table");
            builder.Add("inner", 7L);
            builder.End();
            builder.BeginArray("array");
            builder.Add("eight");
            builder.Add((byte)9);
            builder.End();
        }
    }
}

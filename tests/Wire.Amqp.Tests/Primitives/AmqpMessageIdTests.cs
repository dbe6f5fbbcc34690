using System.Buffers.Text;
using System.Text;
using Wire.Amqp.V091;
using Wire.Amqp.V10;
using Wire.Testing;

namespace Wire.Amqp.Tests.Primitives;

/// <summary>Ids of messages, which are texts like others without being there before they are written.</summary>
public sealed class AmqpMessageIdTests
{
    [Fact]
    public void Each_is_another_and_looks_as_it_is_said()
    {
        AmqpString[] ids = [.. Enumerable.Range(0, 1000).Select(_ => AmqpMessageId.Next())];
        Assert.Equal(ids.Length, ids.Select(id => id.ToString()).Distinct().Count());
        Assert.All(ids, id => Assert.Matches("^[A-Za-z0-9_-]{16}$", id.ToString()));
        Assert.InRange(ids.Select(id => id.ToString()[..12]).Distinct().Count(), 1, 2);
    }

    [Fact]
    public void The_numbers_of_a_beginning_are_used_up_before_another_one_is_made()
    {
        var prefix = new MessageIdPrefix();
        byte[] text = new byte[MessageIdPrefix.TextLength];
        HashSet<string> ids = [];
        foreach (uint number in (uint[])[0, 1, 63, 64, 255, 256, 65_535, 65_536, MessageIdPrefix.LastNumber])
        {
            Assert.True(prefix.TryWrite(number, text, out int written));
            Assert.Equal(text.Length, written);
            byte[] bytes = Base64Url.DecodeFromUtf8(text);
            Assert.Equal(number, (uint)((bytes[9] << 16) | (bytes[10] << 8) | bytes[11]));
            ids.Add(Encoding.ASCII.GetString(text));
        }

        Assert.Equal(9, ids.Count);
        Assert.Single(ids.Select(id => id[..12]).Distinct());
        Assert.False(prefix.TryWrite(1, text.AsSpan(1), out _));
    }

    [Fact]
    public void It_is_a_text_like_others()
    {
        for (int i = 0; i < 300; i++)
        {
            AmqpString id = AmqpMessageId.Next();
            string text = id.ToString();
            AmqpString bytes = new(Encoding.UTF8.GetBytes(text));
            Assert.False(id.IsNull);
            Assert.False(id.IsEmpty);
            Assert.Equal(text.Length, id.ByteCount);
            Assert.Equal(bytes.Utf8.ToArray(), id.Utf8.ToArray());
            byte[] room = new byte[50];
            Assert.Equal(text.Length, id.CopyTo(room));
            Assert.Equal(text, Encoding.UTF8.GetString(room, 0, text.Length));
            Assert.Throws<ArgumentException>(() => id.CopyTo(new byte[text.Length - 1]));
            foreach (AmqpString same in new[] { id, bytes, text })
            {
                Assert.True(id == same && same == id && id.Equals(text) && same.Equals((object)id));
                Assert.Equal(same.GetHashCode(), id.GetHashCode());
            }

            Assert.False(
                id == AmqpMessageId.Next() || id == "x" || id == default || id == new AmqpString(new byte[3]) || id.Equals((string?)null));
        }
    }

    [Fact]
    public void It_goes_into_fields_and_values_and_comes_back()
    {
        AmqpString id = AmqpMessageId.Next();
        FieldValue field = id;
        Assert.Equal(id, field.AsString());
        var builder = new FieldTableBuilder();
        builder.Add("id", id);
        builder.Add(id, "value");
        FieldTable table = builder.ToTable();
        Assert.Equal(id.ToString(), table["id"].AsString().ToString());
        Assert.Equal("value", table[id.ToString()].AsString().ToString());
        Assert.Equal(table["id"], field);
        AmqpValue value = id;
        Assert.Equal(id.ToString(), value.ToString()!.Trim('"'));
        Assert.Equal(value, (AmqpValue)id.ToString());
    }

    [Fact]
    public void Nothing_is_allocated_for_it()
    {
        byte[] room = new byte[50];
        int sum = 0;
        Allocations.AssertNone(() =>
        {
            AmqpString id = AmqpMessageId.Next();
            id.CopyTo(room);
            sum += id.GetHashCode() + (id == AmqpMessageId.Next() ? 1 : 0);
        });
        Assert.NotEqual(0, sum);
    }
}

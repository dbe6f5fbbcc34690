using System.Buffers;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Tests.Bodies;

/// <summary>Messages that are gathered in one body come back, each as it would be alone.</summary>
public sealed class GatheredBodyTests
{
    private static readonly BasicProperties Whole = new() { MessageId = "whole" };

    [Fact]
    public void Any_messages_come_back_in_one_piece_and_in_pieces() => Prop.ForAll(
        ArbMap.Default.ArbFor<(string? Id, string? Type, byte? Priority, int? Header, byte[] Body)[]>().Filter(all => all.Length > 0),
        all =>
        {
            using var writer = new GatheredBodyWriter();
            BasicProperties[] properties = [.. all.Select(each => Properties(each.Id, each.Type, each.Priority, each.Header))];
            for (int i = 0; i < all.Length; i++)
            {
                writer.Add(in properties[i], all[i].Body ?? []);
            }

            Assert.Equal((all.Length, writer.Written.Length), (writer.Count, writer.Length));
            byte[] body = writer.Written.ToArray();
            foreach (ReadOnlySequence<byte> input in (ReadOnlySequence<byte>[])[new(body), Fragments.Every(body, 3)])
            {
                GatheredMessage[] read = GatheredBody.Read(in Whole, in input);
                Assert.Equal(all.Length, read.Length);
                for (int i = 0; i < read.Length; i++)
                {
                    BasicProperties expected = properties[i];
                    BasicProperties actual = read[i].Properties;
                    Assert.Equal(all[i].Body ?? [], read[i].Body.ToArray());
                    Assert.Equal(expected.MessageId.IsNull ? $"whole/{i}" : expected.MessageId.ToString(), actual.MessageId.ToString());
                    Assert.Equal((expected.Type.IsNull, expected.Type.ToString()), (actual.Type.IsNull, actual.Type.ToString()));
                    Assert.Equal((expected.Priority, expected.Timestamp), (actual.Priority, actual.Timestamp));
                    Assert.Equal(expected.Headers.ToDictionary(), actual.Headers.ToDictionary());
                }
            }
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void What_messages_share_is_written_once()
    {
        using var writer = new GatheredBodyWriter();
        var properties = new BasicProperties { ContentType = AmqpBody.ContentType, Type = "Shop.OrderPlaced", DeliveryMode = 2 };
        byte[] body = [.. Enumerable.Range(0, 100).Select(i => (byte)i)];
        writer.Add(in properties, body);
        int first = writer.Length;
        body[90] = 0;
        writer.Add(in properties, body);

        // How many properties they share, no more of them, how much of the body, how much is left, and that.
        Assert.Equal(first + 4 + 10, writer.Length);
    }

    [Fact]
    public void A_writer_begins_anew_after_it_was_cleared_and_after_a_property_that_cannot_be_written()
    {
        using var writer = new GatheredBodyWriter();
        var wrong = new BasicProperties { Type = new string('a', 256) };
        Assert.Throws<ArgumentException>(() => writer.Add(in wrong, [1, 2, 3]));
        Assert.Equal((0, 0), (writer.Count, writer.Length));
        writer.Add(default, [1, 2, 3]);
        byte[] alone = writer.Written.ToArray();
        Assert.Throws<ArgumentException>(() => writer.Add(in wrong, [1, 2, 4]));
        Assert.Equal(alone, writer.Written.ToArray());
        writer.Clear();
        writer.Add(default, [1, 2, 3]);
        Assert.Equal(alone, writer.Written.ToArray());
    }

    [Fact]
    public void A_whole_without_an_id_gives_none()
    {
        using var writer = new GatheredBodyWriter();
        writer.Add(default, [1]);
        GatheredMessage read = Assert.Single(GatheredBody.Read(default, new ReadOnlySequence<byte>(writer.Written)));
        Assert.True(read.Properties.MessageId.IsNull);
    }

    [Fact]
    public void The_memory_of_what_was_read_is_its_own()
    {
        using var writer = new GatheredBodyWriter();
        writer.Add(new BasicProperties { Type = "type" }, [1, 2, 3]);
        byte[] body = writer.Written.ToArray();
        GatheredMessage read = Assert.Single(GatheredBody.Read(default, new ReadOnlySequence<byte>(body)));
        body.AsSpan().Clear();
        Assert.Equal("type", read.Properties.Type.ToString());
        Assert.Equal([1, 2, 3], read.Body.ToArray());
    }

    [Theory]
    [InlineData("", AmqpFormatError.Truncated, "5 more bytes")]
    [InlineData("01 00 00", AmqpFormatError.Truncated, "2 more bytes")]
    [InlineData("02 00 00 00 01 00 00 00 00", AmqpFormatError.Body, "found those of 2")]
    [InlineData("01 00 00 00 00 00 02 00 00 00 00", AmqpFormatError.Length, "found 0")]
    [InlineData("01 00 00 00 02 00 02 00 00 00 00", AmqpFormatError.Length, "found 2")]
    [InlineData("01 FF FF FF FF 00 02 00 00 00 00", AmqpFormatError.Length, "found 4294967295")]
    [InlineData("01 00 00 00 01 01 01 00 00 00 00", AmqpFormatError.Length, "at most 0 bytes that the properties share")]
    [InlineData("01 00 00 00 01 00 02 00 00 01 00", AmqpFormatError.Length, "at most 0 bytes that the body share")]
    [InlineData("01 00 00 00 01 00 02 00 00 00 01", AmqpFormatError.Length, "Expected 1 bytes of the body")]
    [InlineData("01 00 00 00 01 00 02 00 00 00 00 00", AmqpFormatError.Length, "found 1 bytes more")]
    [InlineData("01 00 00 00 01 00 02 00 00 00 80", AmqpFormatError.Length, "found the end of the body")]
    [InlineData("01 00 00 00 01 FF FF FF FF 08 00", AmqpFormatError.Value, "at most 5 bytes")]
    [InlineData("01 00 00 00 01 00 01 00 00 00", AmqpFormatError.Length, "")]
    [InlineData("01 00 00 00 01 00 03 00 00 00 00 00", AmqpFormatError.Length, "")]
    public void Damage_is_refused_in_words(string hex, AmqpFormatError error, string words)
    {
        byte[] body = Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));
        var refusal = Assert.Throws<AmqpFormatException>(() => GatheredBody.Read(in Whole, new ReadOnlySequence<byte>(body)));
        Assert.Equal(error, refusal.Error);
        Assert.Contains(words, refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Few_bytes_do_not_become_many()
    {
        using var writer = new GatheredBodyWriter();
        byte[] large = new byte[10_000];
        for (int i = 0; i < 1_000; i++)
        {
            writer.Add(default, large);
        }

        Assert.InRange(writer.Length, 10_000, 20_000);
        var body = new ReadOnlySequence<byte>(writer.Written);
        long before = GC.GetAllocatedBytesForCurrentThread();
        var refusal = Assert.Throws<AmqpFormatException>(() => GatheredBody.Read(default, in body, 1_000_000));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1_200_000);
        Assert.Equal(10_000 * 1_000 + (2 * 1_000), writer.GrownLength);
        Assert.Contains("more than 1000000 bytes", refusal.Message, StringComparison.Ordinal);
        Assert.Equal(1_000, GatheredBody.Read(default, in body).Length);
    }

    [Fact]
    public void No_more_than_65536_are_written_or_read()
    {
        using var writer = new GatheredBodyWriter();
        for (int i = 0; i < 65_536; i++)
        {
            writer.Add(default, []);
        }

        Assert.Contains("65536 messages already", Assert.Throws<InvalidOperationException>(() => writer.Add(default, [])).Message,
            StringComparison.Ordinal);
        Assert.Equal(65_536, GatheredBody.Read(default, new ReadOnlySequence<byte>(writer.Written)).Length);
        byte[] more = [.. writer.Written.ToArray(), 0, 0, 0, 0];
        more[2] = 1;
        more[4] = 1;
        var refusal = Assert.Throws<AmqpFormatException>(() => GatheredBody.Read(default, new ReadOnlySequence<byte>(more)));
        Assert.Contains("Expected 1 to 65536 gathered messages, found 65537", refusal.Message, StringComparison.Ordinal);
        Assert.Throws<AmqpFormatException>(() => GatheredBody.Read(default, new ReadOnlySequence<byte>(writer.Written), 1_000_000));
    }

    [Fact]
    public void A_message_with_damaged_headers_is_found_before_any_is_handled()
    {
        using var writer = new GatheredBodyWriter();
        writer.Add(default, [1]);
        writer.Add(new BasicProperties { Headers = FieldTable.Create([new("name", 1)]) }, [2]);
        byte[] body = writer.Written.ToArray();
        body[body.AsSpan().IndexOf("name"u8) + 4] = (byte)'?';
        Assert.Throws<AmqpFormatException>(() => GatheredBody.Read(default, new ReadOnlySequence<byte>(body)));
    }

    [Theory]
    [InlineData("application/x-wire-gathered", true)]
    [InlineData("Application/X-Wire-Gathered ; v=1", true)]
    [InlineData("application/x-wire", false)]
    [InlineData("application/x-wire-gathered2", false)]
    [InlineData("", false)]
    public void Its_content_type_is_known_in_any_case_and_with_parameters(string contentType, bool expected) =>
        Assert.Equal(expected, GatheredBody.IsContentType(contentType));

    [Fact]
    public void Who_reads_single_messages_refuses_it_by_name()
    {
        using var writer = new GatheredBodyWriter();
        writer.Add(default, [1]);
        var properties = new BasicProperties { ContentType = GatheredBody.ContentType };
        var refusal = Assert.Throws<AmqpFormatException>(
            () => new AmqpBody(new Serializer()).Read<object>(in properties, new ReadOnlySequence<byte>(writer.Written)));
        Assert.Contains("'application/x-wire-gathered'", refusal.Message, StringComparison.Ordinal);
    }

    private static BasicProperties Properties(string? id, string? type, byte? priority, int? header)
    {
        var properties = new BasicProperties { Priority = priority, Timestamp = new Timestamp(header ?? 7) };
        properties.MessageId = Text(id);
        properties.Type = Text(type);
        if (header is { } number)
        {
            properties.Headers = FieldTable.Create([new("number", number)]);
        }

        return properties;
    }

    // Of what a short string takes.
    private static AmqpString Text(string? text) =>
        text is null ? default : new string([.. text.Where(c => !char.IsSurrogate(c)).Take(80)]);
}

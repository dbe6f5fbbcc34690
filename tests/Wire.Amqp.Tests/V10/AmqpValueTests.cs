using System.Buffers;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.V10;
using Wire.Amqp.V10.Values;
using Wire.Testing;

namespace Wire.Amqp.Tests.V10;

public sealed class AmqpValueTests
{
    [Fact]
    public void Any_value_is_what_was_built_and_takes_the_fewest_bytes() => Prop.ForAll<int>(seed =>
    {
        object? model = Models.Random(new Random(seed));
        AmqpValue built = Models.ToValue(model);
        byte[] bytes = Written(built);
        Assert.Equal(Models.LeastSize(model), bytes.Length);
        AmqpValue read = Read(bytes);
        Models.AssertSame(model, read.ToObject());
        Assert.True(read == built && read.Equals((object)built) && read.GetHashCode() == built.GetHashCode());
        Assert.Equal(bytes, Written(read));
        Assert.Equal(bytes, Written(read.Copy()));
        Assert.Equal(bytes, new AmqpBuilder().Add(read).Build() == read ? Written(Models.ToValue(model)) : []);
    }).Check(Config.QuickThrowOnFailure.WithMaxTest(300));

    [Fact]
    public void Any_value_is_read_from_segments_and_passed_over() => Prop.ForAll<int>(seed =>
    {
        var random = new Random(seed);
        AmqpValue built = Models.ToValue(Models.Random(random));
        byte[] bytes = [.. Written(built), 0x41];
        for (int size = 1; size < Math.Min(bytes.Length, 40); size++)
        {
            ReadOnlySequence<byte> chunked = Sequences.Chunked(bytes, size);
            var reader = new AmqpReader(chunked);
            Assert.True(reader.ReadValue() == built);
            Assert.True(reader.ReadBoolean() && reader.IsAtEnd);
            var skipper = new AmqpReader(chunked);
            skipper.SkipValue();
            Assert.Equal(1, skipper.Remaining);
        }
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Any_value_cut_anywhere_says_that_more_is_needed() => Prop.ForAll<int>(seed =>
    {
        byte[] bytes = Written(Models.ToValue(Models.Random(new Random(seed))));
        for (int cut = 0; cut < Math.Min(bytes.Length, 300); cut++)
        {
            byte[] part = bytes[..cut];
            foreach (Action attempt in new Action[] { () => Read(part), () => Skip(part) })
            {
                AmqpFormatException e = Assert.Throws<AmqpFormatException>(attempt);
                Assert.Equal(AmqpFormatError.Truncated, e.Error);
                Assert.InRange(e.Missing, 1, bytes.Length - cut);
            }
        }
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Any_bytes_are_a_value_or_a_format_error() => Prop.ForAll<int>(seed =>
    {
        var random = new Random(seed);
        byte[] bytes = Written(Models.ToValue(Models.Random(random)));
        for (int i = 0; i < 20; i++)
        {
            byte[] changed = [.. bytes];
            for (int changes = random.Next(1, 4); changes > 0; changes--)
            {
                changed[random.Next(changed.Length)] = (byte)random.Next(256);
            }

            try
            {
                AmqpValue value = Read(changed);
                Assert.True(value == Read(changed));
                value.ToObject();
                Assert.Equal(value, Read(Written(value)));
            }
            catch (AmqpFormatException e)
            {
                Assert.True(e.Error is AmqpFormatError.Truncated == e.Missing > 0, e.ToString());
            }
        }
    }).Check(Config.QuickThrowOnFailure.WithMaxTest(100));

    [Fact]
    public void Values_of_different_types_or_contents_differ()
    {
        AmqpValue[] values =
        [
            default, false, true, (byte)1, (ushort)1, 1u, 1ul, (sbyte)1, (short)1, 1, 1L, 1f, 1d, new Decimal32(
                1), new Decimal64(1), 1m, 2m, new Timestamp(1),
            'a', Guid.Empty, "a", "b", new AmqpSymbol(
                "a"), new byte[] { 97 }, AmqpValue.List(), AmqpValue.List(1), AmqpValue.List(1, 1), AmqpValue.Map(),
            AmqpValue.Map((1, 2), (3, 4)), AmqpValue.Map((3, 4), (1, 2)), AmqpValue.Array(AmqpType.Int), AmqpValue.Array(AmqpType.Long),
            AmqpValue.Array(AmqpType.Int, 1), AmqpValue.Describe(1ul, 1), AmqpValue.Describe(2ul, 1), AmqpValue.Describe(1ul, 2),
        ];
        for (int i = 0; i < values.Length; i++)
        {
            for (int j = 0; j < values.Length; j++)
            {
                Assert.Equal(i == j, values[i] == values[j]);
                Assert.Equal(i == j, values[i].Equals((object)values[j].Copy()));
            }
        }
    }

    [Fact]
    public void A_value_is_asked_for_by_its_exact_type()
    {
        AmqpValue value = 5;
        Assert.True(value.TryGet(out int number) && number == 5 && !value.TryGet(out long _) && !value.TryGet(out string? _));
        Assert.Equal(5, value.As<int>());
        AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => value.As<string>());
        Assert.Equal((AmqpFormatError.UnexpectedType, "Expected string, found int"), (e.Error, e.Message));
        Assert.Throws<ArgumentException>(() => value.As<object>());
        Assert.Throws<ArgumentOutOfRangeException>(() => (AmqpValue)'\ud800');
        Assert.Throws<ArgumentException>(() => new AmqpSymbol("ß"));
        Assert.Equal(32, System.Runtime.CompilerServices.Unsafe.SizeOf<AmqpValue>());
    }

    [Fact]
    public void A_list_encoded_otherwise_is_equal_and_written_as_it_came()
    {
        AmqpValue list = Read(Convert.FromHexString("d00000000800000002" + "5405" + "5406"));
        Assert.True(list == AmqpValue.List(5, 6));
        Assert.Equal(13, list.EncodedSize);
        Assert.Equal(7, AmqpValue.List(5, 6)[1].As<int>() + AmqpValue.List(1)[0].As<int>());
    }

    internal static AmqpValue Read(byte[] bytes)
    {
        var reader = new AmqpReader(bytes);
        return reader.ReadValue();
    }

    internal static byte[] Written(AmqpValue value)
    {
        byte[] bytes = new byte[value.EncodedSize];
        var writer = new AmqpWriter(bytes);
        writer.WriteValue(value);
        Assert.Equal(bytes.Length, writer.Written);
        return bytes;
    }

    private static long Skip(byte[] bytes)
    {
        var reader = new AmqpReader(bytes);
        reader.SkipValue();
        return reader.Offset;
    }
}

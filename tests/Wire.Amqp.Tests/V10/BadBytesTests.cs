using Wire.Amqp.V10;

namespace Wire.Amqp.Tests.V10;

public sealed class BadBytesTests
{
    [Theory]
    [InlineData("5602", AmqpFormatError.Value, 1)] // A boolean of 2.
    [InlineData("730000d800", AmqpFormatError.Value, 1)] // Half of a pair.
    [InlineData("7300110000", AmqpFormatError.Value, 1)] // Behind the last character.
    [InlineData("a301ff", AmqpFormatError.Value, 2)] // A symbol that is not ASCII.
    [InlineData("c000", AmqpFormatError.Length, 2)] // No room for the count.
    [InlineData("d00000000300000000", AmqpFormatError.Length, 5)]
    [InlineData("c00205", AmqpFormatError.Truncated, 2)] // A size beyond the input: more may come.
    [InlineData("b0ffffffff", AmqpFormatError.Length, 1)] // A size that no memory has.
    [InlineData("c0030541" + "41", AmqpFormatError.Length, 2)] // Five elements in two bytes.
    [InlineData("c0030141" + "41", AmqpFormatError.Length, 4)] // A byte too many.
    [InlineData("c0030160" + "00", AmqpFormatError.Length, 4)] // An element that runs over.
    [InlineData("c00401a1" + "0561", AmqpFormatError.Length, 5)]
    [InlineData("c00401b1" + "0561", AmqpFormatError.Length, 4)]
    [InlineData("c10201" + "41", AmqpFormatError.Value, 2)] // A key without a value.
    [InlineData("c104024141" + "41", AmqpFormatError.Length, 5)]
    [InlineData("e0060371" + "00000000", AmqpFormatError.Length, 4)] // Three ints in four bytes.
    [InlineData("e00702a1" + "01610162" + "63", AmqpFormatError.Length, 8)] // A byte too many behind texts.
    [InlineData("e0020046", AmqpFormatError.UnknownCode, 3)]
    [InlineData("e0020001", AmqpFormatError.UnknownCode, 3)]
    [InlineData("e00100", AmqpFormatError.Length, 3)] // No constructor.
    [InlineData("f000000005ffffffff40", AmqpFormatError.Length, 10)] // Four billion nulls.
    [InlineData("f0000000050000004141", AmqpFormatError.Length, 10)] // One more than there may be.
    public void Bad_bytes_are_named(string hex, AmqpFormatError error, int offset)
    {
        byte[] bytes = Convert.FromHexString(hex);
        AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => AmqpValueTests.Read(bytes).ToObject());
        Assert.Equal((error, (long)offset), (e.Error, e.Offset));
        Assert.Throws<AmqpFormatException>(() => AmqpValueTests.Read(bytes) == AmqpValueTests.Read(bytes));
    }

    [Fact]
    public void Nulls_in_an_array_are_read_up_to_the_limit()
    {
        AmqpArray array = AmqpValueTests.Read(Convert.FromHexString("f0000000050000004040")).As<AmqpArray>();
        int count = 0;
        foreach (AmqpValue value in array)
        {
            Assert.True(value.IsNull);
            count++;
        }

        Assert.Equal(AmqpArray.MaxElementsWithoutBytes, count);
    }

    [Fact]
    public void A_hundred_thousand_lists_inside_each_other_are_a_depth_error_and_of_each_only_its_own_bytes_are_read()
    {
        const int Levels = 100_000;
        byte[] bytes = new byte[Levels * 9 + 1];
        for (int level = 0; level < Levels; level++)
        {
            var writer = new AmqpWriter(bytes.AsSpan(level * 9));
            writer.Write((byte)0xd0);
            writer.Write(bytes.Length - level * 9 - 5);
            writer.Write(1);
        }

        // In the innermost, no constructor: whoever looks further than asked finds an error.
        bytes[^1] = 0x01;
        AmqpValue value = AmqpValueTests.Read(bytes);
        AmqpValue other = AmqpValueTests.Read([.. bytes]);
        Assert.Equal(AmqpFormatError.Depth, Assert.Throws<AmqpFormatException>(value.ToObject).Error);
        Assert.Equal(AmqpFormatError.Depth, Assert.Throws<AmqpFormatException>(() => value == other).Error);
        for (int level = 1; level < Levels; level++)
        {
            value = value.As<AmqpList>()[0];
        }

        AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => value.As<AmqpList>()[0]);
        Assert.Equal((AmqpFormatError.UnknownCode, bytes.Length - 1), (e.Error, e.Offset));
    }

    [Fact]
    public void Descriptors_inside_each_other_are_a_depth_error_at_the_first_that_is_too_deep()
    {
        byte[] descriptorsOfDescriptors = new byte[100_000];
        byte[] one = [0x00, 0x53, 0x01];
        byte[] valuesOfValues = [.. Enumerable.Repeat(one, 100_000).SelectMany(bytes => bytes), 0x40];
        const int ArrayHead = 9;
        byte[] array = [0xf0, 0, 1, 0, 0, 0, 0, 0, 1, .. new byte[65_532]];
        foreach ((byte[] bytes, int tooDeep) in new[]
        {
            (descriptorsOfDescriptors, 64),
            (valuesOfValues, 64 * one.Length),
            (array, ArrayHead + 64),
        })
        {
            AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => AmqpValueTests.Read(bytes).ToObject());
            Assert.Equal((AmqpFormatError.Depth, tooDeep), (e.Error, e.Offset));
        }
    }

    [Fact]
    public void What_the_elements_of_an_array_share_is_walked_once()
    {
        const int Count = 1000;
        const int Levels = 8;

        // The descriptor of the elements of each array is the array before it. Walked for each element, it would never end.
        byte[] bytes = [0x50, 7];
        for (int level = 0; level < Levels; level++)
        {
            bytes = [0xf0, .. Big(1 + bytes.Length + 1 + Count + 4), .. Big(Count), 0x00, .. bytes, 0x50, .. new byte[Count]];
        }

        byte[] different = [.. bytes];
        different[bytes.AsSpan().IndexOf<byte>([0x50, 7]) + 1]++;
        AmqpValue value = AmqpValueTests.Read(bytes);
        AmqpValue other = AmqpValueTests.Read([.. bytes]);
        long before = GC.GetAllocatedBytesForCurrentThread();
        object? made = value.ToObject();
        Assert.True(value == other);
        Assert.False(value == AmqpValueTests.Read(different));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, bytes.Length * 256L);
        for (int level = 0; level < Levels; level++)
        {
            object?[] objects = Assert.IsType<object?[]>(made);
            Assert.Equal(Count, objects.Length);
            var described = Assert.IsType<DescribedObject>(objects[^1]);
            Assert.Equal((byte)0, described.Value);
            Assert.Same(described.Descriptor, Assert.IsType<DescribedObject>(objects[0]).Descriptor);
            made = described.Descriptor;
        }

        Assert.Equal((byte)7, made);
    }

    [Theory]
    [InlineData("02ff43", AmqpFormatError.Length)] // 255 zeros in no space.
    [InlineData("024043", null)] // 64.
    public void Arrays_of_elements_without_bytes_do_not_grow_out_of_proportion(string hex, AmqpFormatError? error)
    {
        const int Count = 10_000;
        byte[] elements = [.. Enumerable.Repeat(Convert.FromHexString(hex), Count).SelectMany(element => element)];
        byte[] bytes = [0xf0, .. Big(elements.Length + 5), .. Big(Count), 0xe0, .. elements];
        long before = GC.GetAllocatedBytesForCurrentThread();
        var e = Record.Exception(() => AmqpValueTests.Read(bytes).ToObject()) as AmqpFormatException;
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, bytes.Length * 256L);
        Assert.Equal(error, e?.Error);
    }

    [Fact]
    public void Many_descriptors_for_each_element_of_an_array_are_read_and_compared_and_not_made_objects()
    {
        const int Count = 1000;
        byte[] descriptors = [.. Enumerable.Repeat<byte[]>([0x00, 0x43], 60).SelectMany(descriptor => descriptor)];
        byte[] bytes = [0xf0, .. Big(descriptors.Length + 1 + Count + 4), .. Big(Count), .. descriptors, 0x50, .. new byte[Count]];
        AmqpValue value = AmqpValueTests.Read(bytes);
        Assert.True(value == AmqpValueTests.Read([.. bytes]));
        AmqpValue element = value.As<AmqpArray>()[Count - 1];
        for (; element.Type == AmqpType.Described; element = element.Undescribed)
        {
            Assert.Equal(0u, element.Descriptor.As<uint>());
        }

        Assert.Equal((byte)0, element.As<byte>());
        Assert.Equal(AmqpFormatError.Depth, Assert.Throws<AmqpFormatException>(value.ToObject).Error);
        bytes[^1] = 1;
        Assert.False(value == AmqpValueTests.Read([.. bytes[..^1], 2]));
    }

    [Fact]
    public void Values_64_times_inside_each_other_are_followed_and_65_are_not()
    {
        AmqpValue value = 1;
        for (int depth = 1; depth <= 65; depth++)
        {
            value = AmqpValue.List(value);
            if (depth <= 64)
            {
                Assert.NotNull(value.ToObject());
                Assert.True(value == value.Copy());
            }
        }

        Assert.Equal(AmqpFormatError.Depth, Assert.Throws<AmqpFormatException>(value.ToObject).Error);
    }

    private static byte[] Big(int number)
    {
        byte[] bytes = new byte[sizeof(int)];
        NetworkOrder.Write(bytes, number);
        return bytes;
    }
}

using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.V091;

namespace Wire.Amqp.Tests.V091.Fields;

public sealed class FieldArrayTests
{
    [Fact]
    public void Any_values_are_read_as_they_were_written() => Prop.ForAll(Arb.From(Samples.AnyObject.ListOf()), values =>
    {
        FieldArray array = FieldArray.Create(values.ToList());
        Assert.Equal(values, array.ToList());
        Assert.Equal(values.Count, array.Count);
        Assert.Equal(values.Count == 0, array.IsEmpty);
        Assert.Equal(array.GetHashCode(), new FieldArray(array.Encoded.ToArray()).GetHashCode());
        var copy = new FieldArrayBuilder();
        foreach (FieldValue value in array)
        {
            copy.Add(value);
        }

        Assert.True(copy.Array == array && !(copy.Array != array) && copy.Array.Equals((object)array));
    }).QuickCheckThrowOnFailure();

    [Theory]
    [MemberData(nameof(Samples.Golden), MemberType = typeof(Samples))]
    public void What_ends_before_its_length_says_is_an_error(string hex, FieldType type, object? value)
    {
        byte[] whole = Samples.Hex(hex);
        Assert.Equal([value], new FieldArray(whole).ToList());
        Assert.Equal((byte)type, whole[0]);
        for (int cut = 1; cut < whole.Length; cut++)
        {
            var array = new FieldArray(whole.AsMemory(0, cut));
            AmqpFormatException e = Assert.Throws<AmqpFormatException>(array.ToList);
            Assert.Equal((AmqpFormatError.Length, 0), (e.Error, e.Missing));
            Assert.InRange(e.Offset, 1, cut);
            Assert.Equal(e.Message, Assert.Throws<AmqpFormatException>(() => array.Count).Message);
        }
    }

    [Fact]
    public void The_default_is_empty()
    {
        Assert.True(default(FieldArray).IsEmpty && default(FieldArray) == new FieldArray(Array.Empty<byte>()));
        Assert.Empty(default(FieldArray).ToList());
        Assert.Equal("array of 0 bytes", default(FieldArray).ToString());
    }
}

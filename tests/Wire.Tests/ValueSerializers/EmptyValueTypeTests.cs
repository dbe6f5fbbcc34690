using Xunit;

namespace Wire.Tests.ValueSerializers;

public class EmptyValueTypeTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_value_type_without_members_is_read_where_it_was_written(bool dynamicCode)
    {
        var serializer = new Serializer(new SerializerOptions { DynamicCode = dynamicCode });

        Assert.Equal(default, serializer.Deserialize<Empty>(serializer.Serialize(default(Empty))));
        Assert.Equal(7, serializer.Deserialize<Holder>(serializer.Serialize(new Holder { After = 7 }))!.After);
        Assert.Equal(new Empty[3], serializer.Deserialize<Empty[]>(serializer.Serialize(new Empty[3])));
    }

    private readonly record struct Empty;

    private sealed class Holder
    {
        public int After { get; set; }

        public Empty Ahead { get; set; }

        public Empty Aside { get; set; }
    }
}

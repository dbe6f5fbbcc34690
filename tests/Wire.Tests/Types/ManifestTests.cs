using Xunit;

namespace Wire.Tests.Types;

public class ManifestTests
{
    [Fact]
    public void A_schema_that_no_reader_takes_is_not_written()
    {
        object deep = Nested(17);

        NotSupportedException e = Assert.ThrowsAny<NotSupportedException>(() => new Serializer().Serialize(deep));
        Assert.Contains("VersionTolerance", e.Message, StringComparison.Ordinal);

        var intolerant = new Serializer(new SerializerOptions { VersionTolerance = false });
        Assert.Equal(deep, intolerant.Deserialize<object>(intolerant.Serialize(deep)));
    }

    [Fact]
    public void The_deepest_schema_can_be_read()
    {
        var serializer = new Serializer();
        object deep = Nested(16);

        Assert.Equal(deep, serializer.Deserialize<object>(serializer.Serialize(deep)));
    }

    // A list of lists of lists ... of int, each two levels of a schema but the last.
    private static object Nested(int levels)
    {
        object value = 7;
        for (int i = 0; i < levels; i++)
        {
            Type list = typeof(List<>).MakeGenericType(value.GetType());
            var outer = (System.Collections.IList)Activator.CreateInstance(list)!;
            outer.Add(value);
            value = outer;
        }

        return value;
    }
}

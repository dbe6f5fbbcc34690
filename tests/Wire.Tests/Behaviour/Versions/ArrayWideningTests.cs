namespace Wire.Tests.Behaviour.Versions;

/// <summary>Arrays and lists of numbers are converted like the numbers themselves.</summary>
public sealed class ArrayWideningTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Arrays_and_lists_of_numbers_widen(bool dynamicCode)
    {
        SerializerOptions options = SerializerOptions.Default with { DynamicCode = dynamicCode };
        byte[] bytes = new Serializer(options).Serialize(new Narrow { Array = [1, -2], Bytes = [3], Jagged = [[4]], List = [5] });

        Wide wide = new Serializer(options).Deserialize<Wide>(bytes)!;

        Assert.Equal([1L, -2L], wide.Array!);
        Assert.Equal([3.0], wide.Bytes!);
        Assert.Equal([4m], Assert.Single(wide.Jagged!));
        Assert.Equal([5L], wide.List);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Arrays_and_lists_of_numbers_narrow_where_each_element_fits(bool dynamicCode)
    {
        SerializerOptions options = SerializerOptions.Default with { DynamicCode = dynamicCode };
        var serializer = new Serializer(options);
        byte[] bytes = serializer.Serialize(new Wide { Array = [int.MinValue, 2], Bytes = [255, -0.0], Jagged = [[4.00m]], List = [5] });
        Narrow narrow = serializer.Deserialize<Narrow>(bytes)!;
        Assert.Equal([int.MinValue, 2], narrow.Array!);
        Assert.Equal([255, 0], narrow.Bytes!);
        Assert.Equal([4], Assert.Single(narrow.Jagged!));
        Assert.Equal([5], narrow.List!);
        Refused(new Wide { Array = [0, 1L << 31] }, "Array[1]");
        Refused(new Wide { Bytes = [0, 0, 256] }, "Bytes[2]");
        Refused(new Wide { Jagged = [[0, 0.5m]] }, "Jagged[0][1]");
        Refused(new Wide { List = [long.MinValue] }, "List[0]");

        void Refused(Wide wide, string path)
        {
            var error = Assert.Throws<WireFormatException>(() => serializer.Deserialize<Narrow>(serializer.Serialize(wide)));
            Assert.Equal((WireFormatError.SchemaMismatch, path), (error.Error, error.MemberPath));
        }
    }

    [Fact]
    public void Arrays_do_not_widen_without_version_tolerance()
    {
        var strict = new Serializer(SerializerOptions.Default with { VersionTolerance = false });
        byte[] narrow = new Serializer(SerializerOptions.Default).Serialize(new ObjectHolder { Value = new[] { 1 } });
        Assert.IsType<int[]>(strict.Deserialize<ObjectHolder>(narrow)!.Value);
        byte[] narrowMember = strict.Serialize(new Narrow { Array = [1] });
        Assert.Throws<WireFormatException>(() => strict.Deserialize<Wide>(narrowMember));
    }

    [WireName("Widening.Arrays")]
    public sealed class Narrow
    {
        public int[]? Array;
        public byte[]? Bytes;
        public short[][]? Jagged;
        public List<int>? List;
    }

    [WireName("Widening.Arrays")]
    public sealed class Wide
    {
        public long[]? Array;
        public double[]? Bytes;
        public decimal[][]? Jagged;
        public List<long>? List;
    }

    public sealed class ObjectHolder
    {
        public object? Value;
    }
}

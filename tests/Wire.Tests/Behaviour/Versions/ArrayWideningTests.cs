namespace Wire.Tests.Behaviour.Versions;

/// <summary>Arrays and lists of numbers widen like the numbers themselves.</summary>
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

    [Fact]
    public void Arrays_do_not_narrow_and_do_not_widen_without_version_tolerance()
    {
        byte[] wide = new Serializer().Serialize(new Wide { Array = [1] });
        Assert.Equal(
            WireFormatError.SchemaMismatch,
            Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<Narrow>(wide)).Error);

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

namespace Wire.Tests.Behaviour.Graphs;

/// <summary>Value types in arrays of their own, deeper than a stack: each level asks for room.</summary>
public sealed class DeepValueTypeTests
{
    private const int Levels = 20_000;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Arrays_of_value_types_may_be_deeper_than_the_stack(bool dynamicCode) => Setup.OnSmallStack(
        () =>
        {
            Serializer serializer = Deep(dynamicCode);
            var tree = new InArray();
            for (int i = 0; i < Levels; i++)
            {
                tree = new InArray { Kids = [tree] };
            }

            InArray[] read = serializer.Deserialize<InArray[]>(serializer.Serialize(new[] { tree }))!;
            int levels = 0;
            for (InArray level = read[0]; level.Kids is { } kids; level = kids[0])
            {
                levels++;
            }

            Assert.Equal(Levels, levels);
        },
        512);

    private static Serializer Deep(bool dynamicCode) =>
        Setup.Serializer(dynamicCode, options => options with { Limits = new() { MaxDepth = 1_000_000 } });

    private struct InArray
    {
        public InArray[]? Kids;
    }
}

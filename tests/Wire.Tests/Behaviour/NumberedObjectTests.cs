using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>The tables of objects grow with a message, and begin anew with the next one.</summary>
public class NumberedObjectTests
{
    public static TheoryData<bool> Twins => [true, false];

    [Theory]
    [MemberData(nameof(Twins))]
    public void Large_and_small_messages_follow_each_other(bool dynamicCode)
    {
        Serializer serializer = Setup.WithReferences(dynamicCode);
        foreach (int count in new[] { 1, 40, 3, 3_000, 2, 100_000, 5, 3_000, 1 })
        {
            Leaf[] leaves = [.. Enumerable.Range(0, count).Select(i => new Leaf { Id = i })];
            Leaf[] twice = serializer.RoundTrip<Leaf[]>([.. leaves, .. leaves.Reverse()]);
            for (int i = 0; i < count; i++)
            {
                Assert.Equal(i, twice[i].Id);
                Assert.Same(twice[i], twice[^(i + 1)]);
            }
        }
    }
}

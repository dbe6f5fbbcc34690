using Wire.Tests.Behaviour;
using Wire.Tests.Hostile;
using Wire.Tests.Testing;

namespace Wire.Tests.Types;

/// <summary>Types that were found once by their names.</summary>
public sealed class FoundTypesTests
{
    private const string Leaf = "Wire.Tests.Behaviour.Leaf, Wire.Tests";

    [Theory]
    [InlineData("", 700)]
    [InlineData(", Version=9.9.9.", 2500)]
    public void A_type_that_a_rule_allows_is_not_looked_for_again(string rest, int most)
    {
        // Once: 4 KB and 37 microseconds for each.
        const int Count = 1000;
        var serializer = new Serializer(new SerializerOptions { TypeFilter = TypeFilter.Default.AllowAssembly(typeof(Leaf).Assembly) });
        byte[][] payloads = [.. Enumerable.Range(0, Count).Select(i => TypeNameTests.TypeNamed(Leaf + (rest.Length == 0 ? "" : rest + i)))];
        Assert.All(payloads, payload => Assert.Equal(typeof(Leaf), serializer.Deserialize<Type>(payload)));
        long before = GC.GetAllocatedBytesForCurrentThread();
        foreach (byte[] payload in payloads)
        {
            serializer.Deserialize<Type>(payload);
        }

        Assert.InRange((GC.GetAllocatedBytesForCurrentThread() - before) / Count, 0, most);
    }

    [Fact]
    public void What_one_root_leads_to_is_not_found_for_another()
    {
        var serializer = new Serializer();
        byte[] held = Setup.Serializer(true).Serialize(new Holder<Leaf> { Any = typeof(Leaf) });
        byte[] alone = TypeNameTests.TypeNamed(Leaf);
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(typeof(Leaf), serializer.Deserialize<Holder<Leaf>>(held)!.Any);
            Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<Type>(alone));
            Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<Holder<Box<int>>>(held));
        }
    }
}

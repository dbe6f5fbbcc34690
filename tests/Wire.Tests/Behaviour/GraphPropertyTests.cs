using FsCheck;
using FsCheck.Fluent;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Behaviour;

/// <summary>Random graphs of random types come back as they were.</summary>
public class GraphPropertyTests
{
    private static readonly Arbitrary<int[]> Choices =
        Gen.Choose(0, 1 << 20).ArrayOf().Resize(80).ToArbitrary();

    public static TheoryData<bool, bool, bool> Modes => new()
    {
        { true, true, true }, { true, true, false }, { true, false, true }, { false, true, true }, { false, true, false }, { false, false, true },
    };

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_random_graph_round_trips(bool dynamicCode, bool references, bool versionTolerance)
    {
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references, VersionTolerance = versionTolerance });
        Run(choices =>
        {
            object? graph = GraphBuilder.Build(choices, cycles: references);
            byte[] payload = serializer.Serialize(graph);
            return GraphAssert.Difference(graph, serializer.Deserialize(payload), references) is null
                && GraphAssert.Difference(graph, serializer.Clone(graph), references) is null;
        });
    }

    [Fact]
    public void Emitted_code_and_reflection_write_the_same_bytes()
    {
        Serializer emitted = Setup.WithReferences(true);
        Serializer reflected = Setup.WithReferences(false);
        Run(choices =>
        {
            object? graph = GraphBuilder.Build(choices, cycles: true);
            return emitted.Serialize(graph).AsSpan().SequenceEqual(reflected.Serialize(graph));
        });
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Many_random_graphs_in_one_session_round_trip(bool references)
    {
        Serializer serializer = Setup.Serializer(true, o => o with { PreserveObjectReferences = references });
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        for (int seed = 0; seed < 500; seed++)
        {
            object? graph = GraphBuilder.FromSeed(seed, references);
            object? copy = serializer.Deserialize(serializer.Serialize(graph, writing), reading);
            GraphAssert.Same(graph, copy, references);
        }
    }

    [Fact]
    public void The_comparer_sees_what_it_should()
    {
        Assert.NotNull(GraphAssert.Difference(new Leaf { Id = 1 }, new Leaf { Id = 2 }, true));
        Assert.NotNull(GraphAssert.Difference(new Dog(), new Puppy(), true));
        var shared = new Leaf();
        Assert.NotNull(GraphAssert.Difference(new[] { shared, shared }, new[] { new Leaf(), new Leaf() }, true));
        Assert.NotNull(GraphAssert.Difference(new[] { new Leaf(), new Leaf() }, new[] { shared, shared }, true));
        Assert.Null(GraphAssert.Difference(new[] { shared, shared }, new[] { new Leaf(), new Leaf() }, false));
    }

    private static void Run(Func<int[], bool> holds) =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(400).WithReplay(20260102, 11), Prop.ForAll(Choices, holds));
}

using FsCheck;
using FsCheck.Fluent;
using Wire.Comparing;
using Wire.Testing;
using Wire.Tests.Behaviour.Graphs;
using Wire.Tests.Testing;
using Xunit;
using Xunit.Sdk;

namespace Wire.Tests.Behaviour;

/// <summary>Random graphs of random types come back as they were.</summary>
public class GraphPropertyTests
{
    private static readonly Arbitrary<int[]> Numbers =
        Gen.Choose(0, 1 << 20).ArrayOf().Resize(80).ToArbitrary();

    public static TheoryData<string> Trials => [.. GraphTrial.All.Select(trial => trial.Name)];

    public static TheoryData<bool, bool, bool> Modes => new()
    {
        { true, true, true },
        { true, true, false },
        { true, false, true },
        { false, true, true },
        { false, true, false },
        { false, false, true },
    };

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_random_graph_round_trips(bool dynamicCode, bool references, bool versionTolerance)
    {
        Serializer serializer =
            Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references, VersionTolerance = versionTolerance });
        Run(choices =>
        {
            object? graph = GraphBuilder.Build(choices, cycles: references);
            byte[] payload = serializer.Serialize(graph);
            return GraphAssert.Difference(graph, serializer.Deserialize<object>(payload), references) is null
                && GraphAssert.Difference(graph, serializer.Clone(graph), references) is null;
        });
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Random_graphs_are_equal_where_nothing_tells_them_apart(bool references)
    {
        Serializer serializer = Setup.Serializer(true, o => o with { PreserveObjectReferences = references });
        var equality = new GraphEquality(serializer);
        object? before = null;
        Run(choices =>
        {
            object? graph = GraphBuilder.Build(choices, cycles: references);
            object? again = GraphBuilder.Build(choices, cycles: references);

            // One more choice, or one other, makes a graph that is mostly the same.
            int[] changed = [.. choices];
            if (changed.Length > 0)
            {
                changed[^1]++;
            }

            object? other = GraphBuilder.Build(changed, cycles: references);
            bool agrees = new[] { again, serializer.Clone(graph), other, before }.All(right =>
                equality.AreEqual(graph, right) == GraphAssert.Difference(graph, right, references ? true : null) is null);
            before = graph;
            return agrees;
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
            object? copy = serializer.Deserialize<object>(serializer.Serialize(graph, writing), reading);
            GraphAssert.Same(graph, copy, references);
        }
    }

    [Theory]
    [MemberData(nameof(Trials))]
    public void Graphs_whose_keys_comparers_and_stand_ins_lead_back_come_back(string trial)
    {
        GraphTrial graphs = GraphTrial.All.Single(candidate => candidate.Name == trial);
        Arbitrary<int[]> bytes = Gen.Choose(0, 255).ArrayOf().Resize(120).ToArbitrary();
        Config config = Config.QuickThrowOnFailure.WithMaxTest(Sweep.IsWhole ? 50_000 : 1_000);
        Check.One(Sweep.IsWhole ? config : config.WithReplay(20260102, 11), Prop.ForAll(bytes, numbers =>
        {
            byte[] choices = [.. numbers.Select(number => (byte)number)];
            if (graphs.Violation(choices) is { } first)
            {
                byte[] shortest = Choices.Shortest(
                    choices, fewer => graphs.Violation(fewer) is { } v && (v.Kind, v.Place) == (first.Kind, first.Place));
                throw new XunitException($"By the choices {Convert.ToHexString(shortest)}: {graphs.Violation(shortest)}");
            }
        }));
    }

    private static void Run(Func<int[], bool> holds) =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(400).WithReplay(20260102, 11), Prop.ForAll(Numbers, holds));
}

using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour.Roads;

/// <summary>
/// Whoever writes it, a value has the same bytes, and whoever reads them, the same graph comes back: flat code for whole messages and
/// for runs of elements, the code that counts and may meet the end of a buffer anywhere, and reflection.
/// </summary>
public sealed class BothRoadsTests
{
    private static readonly Road[] Roads = [.. Road.Options.Select(options => new Road(options))];

    public static TheoryData<int, int> Trials => Pairs(Sweep.IsWhole ? 200 : 2);

    public static TheoryData<int, int> Kinds => Pairs(RoadModel.Kinds);

    [Theory]
    [MemberData(nameof(Trials))]
    public void Objects_and_trees_are_the_same_by_every_road(int option, int seed)
    {
        var random = new Random(seed);
        Road road = Roads[option];
        for (int i = 0; i < 30; i++)
        {
            road.Check(RoadModel.Item(random), random);
            road.Check(RoadModel.Fine(random), random);
            road.Check(RoadModel.OneText(random), random);
            road.Check(RoadModel.Open(random), random);
            road.Check<IThing>(RoadModel.Open(random), random);
            road.Check(RoadModel.Branch(random), random);
            road.Check(new Around<Branch> { Value = RoadModel.Branch(random), Behind = RoadModel.Text(random) }, random);
            road.Check(new Around<object> { Value = RoadModel.Any(random), Behind = RoadModel.Text(random) }, random);
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Collections_of_every_kind_and_size_are_the_same_by_every_road(int option, int kind)
    {
        var random = new Random(kind);
        Road road = Roads[option];
        foreach (int size in Sweep.IsWhole ? [.. RoadModel.Sizes, 1_000] : RoadModel.Sizes)
        {
            int trial = ((option * RoadModel.Kinds) + kind) * 16;
            Check(RoadModel.Item, mayBeNull: true);
            Check(RoadModel.Fine, mayBeNull: true);
            Check(RoadModel.OneText, mayBeNull: true);
            Check(RoadModel.Open, mayBeNull: true);
            Check(RoadModel.Thing, mayBeNull: true);
            Check(RoadModel.Any, mayBeNull: true);
            Check(RoadModel.Text, mayBeNull: true);
            Check(RoadModel.Place, mayBeNull: false);
            Check(RoadModel.Tight, mayBeNull: false);
            Check(source => source.Next(2) == 0, mayBeNull: false);
            Check(source => source.Next(2) == 0 ? null : (Tint?)source.Next(256), mayBeNull: true);
            Check(source => (decimal)source.Next() / 3, mayBeNull: false);
            Check(source => (source.Next(), (byte)source.Next(256)), mayBeNull: false);

            // A collection of a type has code of its own for each set of options: it is compiled once, for all sizes.
            void Check<T>(Func<Random, T> make, bool mayBeNull)
            {
                if (Sweep.Takes(trial++, among: 8))
                {
                    road.CheckAny(RoadModel.Collection(random, kind, RoadModel.Elements(random, size, make, mayBeNull)), random);
                }
            }
        }
    }

    private static TheoryData<int, int> Pairs(int count)
    {
        var pairs = new TheoryData<int, int>();
        for (int option = 0; option < Road.Options.Count; option++)
        {
            for (int i = 0; i < count; i++)
            {
                pairs.Add(option, i);
            }
        }

        return pairs;
    }
}

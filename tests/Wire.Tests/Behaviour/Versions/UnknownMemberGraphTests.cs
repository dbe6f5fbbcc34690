using Xunit;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>Random graphs that share objects between members that the middle knows and members that it does not.</summary>
public class UnknownMemberGraphTests
{
    private const int Graphs = 150;
    private const int Trees = 7;

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void Objects_of_classes_keep_their_places_and_references(bool dynamicCode, bool sessions)
    {
        var road = new UnknownMemberTests.Road(dynamicCode, true, true, sessions);
        for (int seed = 0; seed < Graphs; seed++)
        {
            Newest.Tree sent = Random(new Random(seed), sharesArrays: false, hasPlain: false);
            var seen = new HashSet<Middle.Tree>();
            Newest.Tree received = road.Pass<Newest.Tree, Middle.Tree>(sent, tree => Assert.Empty(DroppedIn(tree, seen)));
            road.AssertSame(sent, received);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_cannot_keep_its_place_is_dropped_and_all_else_arrives(bool dynamicCode)
    {
        var road = new UnknownMemberTests.Road(dynamicCode, true, true, false);
        int dropped = 0, whole = 0;
        for (int seed = 0; seed < Graphs; seed++)
        {
            bool hasPlain = seed % 2 == 0;
            Newest.Tree sent = Random(new Random(seed), sharesArrays: true, hasPlain);
            List<string> lost = [];
            Newest.Tree received = road.Pass<Newest.Tree, Middle.Tree>(sent, tree => lost = DroppedIn(tree, []));
            Assert.Equal(sent.Name, received.Name);
            Assert.Equal(sent.Zeros, received.Zeros);
            if (lost.Count == 0 && !hasPlain)
            {
                road.AssertSame(sent, received);
                whole++;
            }

            dropped += lost.Count;
        }

        Assert.True(dropped > 10 && whole > 10, $"{dropped} members were dropped, {whole} graphs were whole");
    }

    // Only known members are followed: what is behind the others is not there.
    private static List<string> DroppedIn(Middle.Tree? tree, HashSet<Middle.Tree> seen)
    {
        if (tree is null || !seen.Add(tree))
        {
            return [];
        }

        return
        [
            .. tree.UnknownMembers!.Dropped,
            .. DroppedIn(tree.ParentOf, seen),
            .. (tree.Children ?? []).SelectMany(child => DroppedIn(child, seen)),
            .. DroppedIn(tree.Known as Middle.Tree, seen),
        ];
    }

    private static Newest.Tree Random(Random random, bool sharesArrays, bool hasPlain)
    {
        Newest.Tree[] trees = [.. Enumerable.Range(0, Trees).Select(i => new Newest.Tree { Name = $"{i}" })];
        Newest.Currency[] currencies = [.. Enumerable.Range(0, 3).Select(i => new Newest.Currency { Code = $"c{i}" })];
        currencies[0].Parent = currencies[random.Next(3)];
        Newest.Plain[] plain = [.. Enumerable.Range(0, 2).Select(i => new Newest.Plain { Name = $"p{i}" })];
        int[][] arrays = [[1], [2, 3]];
        foreach (Newest.Tree tree in trees)
        {
            tree.Owner = random.Next(2) == 0 ? trees[random.Next(Trees)] : null;
            tree.ParentOf = random.Next(3) == 0 ? trees[random.Next(Trees)] : null;
            tree.Children = [.. Enumerable.Range(0, random.Next(3)).Select(_ => trees[random.Next(Trees)])];
            tree.Money = random.Next(2) == 0 ? currencies[random.Next(3)] : null;
            tree.Shared = random.Next(3) == 0 ? (sharesArrays ? arrays[random.Next(2)] : [4]) : null;
            tree.Zeros = random.Next(3) == 0 ? (sharesArrays ? arrays[random.Next(2)] : [5]) : null;
            tree.Extra = random.Next(5) switch
            {
                0 => new List<object?> { currencies[random.Next(3)], trees[random.Next(Trees)], "text", 7, null },
                1 => trees[random.Next(Trees)],
                2 => currencies[random.Next(3)],
                3 when hasPlain => plain[random.Next(2)],
                _ => null,
            };
            tree.Known = random.Next(5) switch
            {
                0 => trees[random.Next(Trees)],
                1 when hasPlain => plain[random.Next(2)],
                _ => null,
            };
        }

        foreach (Newest.Plain one in plain)
        {
            one.Money = currencies[random.Next(3)];
            one.Link = trees[random.Next(Trees)];
        }

        return trees[0];
    }
}

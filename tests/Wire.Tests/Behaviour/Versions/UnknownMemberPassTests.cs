using Wire.Testing;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>
/// Graphs with kept members that go through the middle more than once, are copied there and compared: what was written can be read, and
/// equal is what is written alike.
/// </summary>
public class UnknownMemberPassTests
{
    private const int Graphs = 60_000;
    private const int Among = 40;

    private static readonly Serializer Newer = new(Options with
    {
        TypeFilter = WireTypeFilter.Default.Allow<NewestPass.Node>().Allow<NewestPass.Leaf>().Allow<NewestPass.Part>()
            .Allow<NewestPass.Plain>(),
    });

    private static readonly Serializer Middle = NewMiddle();

    private static SerializerOptions Options => new() { PreserveObjectReferences = true, DynamicCode = false };

    public static TheoryData<int> Slices() => [.. Enumerable.Range(0, 6)];

    [Theory]
    [MemberData(nameof(Slices))]
    public void What_the_middle_writes_it_reads_and_copies_and_finds_equal(int slice)
    {
        var equality = new GraphEquality(Middle);
        int passed = 0;
        foreach (int seed in Seeds(slice))
        {
            if (Read(seed) is not { } graph)
            {
                continue;
            }

            byte[] written = Middle.Serialize(graph.Value);
            object? again = Middle.Deserialize<object>(written);
            object? copy = Middle.Clone(graph.Value);
            Newer.Deserialize<object>(written);
            Newer.Deserialize<object>(Middle.Serialize(again));
            Assert.True(equality.AreEqual(graph.Value, Middle.Deserialize<object>(graph.Payload)), $"{seed}: two of one payload");
            if (KeptIn(again) == KeptIn(graph.Value))
            {
                Assert.True(equality.AreEqual(graph.Value, again), $"{seed}: through the middle again");
            }

            Assert.Equal(KeptIn(graph.Value), KeptIn(copy));
            Assert.True(equality.AreEqual(graph.Value, copy), $"{seed}: a copy");
            Assert.True(Alike(graph.Value, copy), $"{seed}: the end of a copy");
            passed++;
        }

        Assert.True(passed > Graphs / 6 / Among / 2, $"only {passed} graphs could be read");
    }

    [Theory]
    [MemberData(nameof(Slices))]
    public void A_copy_is_written_as_the_original_is(int slice)
    {
        // Without sets: one in a circle is written and read, and so may be the next graph.
        Serializer middle = NewMiddle();
        foreach (int seed in Seeds(slice))
        {
            if (Read(seed, hasSets: false) is { } graph)
            {
                object copy = middle.Clone(graph.Value);
                Assert.Equal(KeptIn(graph.Value), KeptIn(copy));
                Assert.True(middle.Serialize(copy).AsSpan().SequenceEqual(middle.Serialize(graph.Value)), $"{seed}");
            }
        }
    }

    [Theory]
    [MemberData(nameof(Slices))]
    public void Graphs_are_equal_where_the_newer_program_finds_them_equal(int slice)
    {
        var equality = new GraphEquality(Middle);
        int equal = 0, different = 0;
        foreach (int seed in Seeds(slice))
        {
            foreach (int change in Enumerable.Range(0, 4))
            {
                if (Read(seed) is not { } one || Read(seed, sent => Change(sent, new Random(seed + change))) is not { } other
                    || HasDropped(one.Value) || HasDropped(other.Value))
                {
                    continue;
                }

                bool alike = Alike(one.Value, other.Value);
                Assert.True(alike == equality.AreEqual(one.Value, other.Value), $"{seed}, {change}: {alike}");
                equal += alike ? 1 : 0;
                different += alike ? 0 : 1;
            }
        }

        Assert.True(different > 50, $"{equal} were equal, {different} not");
    }

    [Fact]
    public void Two_objects_that_share_a_kept_one_are_compared_in_their_graph()
    {
        var leaf = new NewestPass.Leaf { Number = 1 };
        byte[] payload = Send(leaf, leaf);
        var equality = new GraphEquality(Middle);
        object[] read = Middle.Deserialize<object[]>(payload)!;
        Assert.Null(equality.FindDifference(read, Middle.Deserialize<object[]>(payload)));
        Assert.Null(equality.FindDifference(read, Middle.Clone(read)));
        Assert.NotNull(equality.FindDifference(read, Middle.Deserialize<object[]>(Send(leaf, new() { Number = 1 }))));
        Assert.NotNull(equality.FindDifference(read, Middle.Deserialize<object[]>(Send(new() { Number = 2 }, leaf))));

        // In sets, where elements are told apart by what they hold.
        var set = new HashSet<object>(read, ReferenceEqualityComparer.Instance);
        var other = new HashSet<object>(Middle.Deserialize<object[]>(payload)!.Reverse(), ReferenceEqualityComparer.Instance);
        Assert.Null(equality.FindDifference(set, other));
        other.Add(Middle.Deserialize<object[]>(payload)![0]);
        Assert.NotNull(equality.FindDifference(set, other));
    }

    private static Serializer NewMiddle() => new(Options with
    {
        TypeFilter = WireTypeFilter.Default.Allow<MiddlePass.Node>().Allow<MiddlePass.Part>().Allow<MiddlePass.Plain>(),
    });

    private static byte[] Send(NewestPass.Leaf first, NewestPass.Leaf second) =>
        Newer.Serialize(new object[] { new NewestPass.Node { Name = "a", E = first }, new NewestPass.Node { Name = "b", E = second } });

    private static IEnumerable<int> Seeds(int slice) =>
        Enumerable.Range(slice * (Graphs / 6), Graphs / 6).Where(seed => Sweep.Takes(seed, Among));

    // Null where a member that the middle lacks has the only place that says the type of an object.
    private static (byte[] Payload, object Value)? Read(int seed, Action<object>? change = null, bool hasSets = true)
    {
        object sent = NewestPass.Random(new Random(seed), hasSets);
        change?.Invoke(sent);
        byte[] payload = Newer.Serialize(sent);
        try
        {
            return (payload, Middle.Deserialize<object>(payload)!);
        }
        catch (WireFormatException e) when (e.Error == WireFormatError.Reference)
        {
            return null;
        }
    }

    private static bool Alike(object one, object other) => new GraphEquality(Newer).AreEqual(
        Newer.Deserialize<object>(Middle.Serialize(one)), Newer.Deserialize<object>(Middle.Serialize(other)));

    private static void Change(object sent, Random random)
    {
        object first = sent is object[] all ? all[0] : sent;
        NewestPass.Node node = first as NewestPass.Node ?? ((NewestPass.Node[])first)[0];
        switch (random.Next(5))
        {
            case 0:
                node.E = node.E is null ? node.L2 : null;
                break;
            case 1 when node.E is { } leaf:
                leaf.Number++;
                break;
            case 2 when node.E is { } leaf:
                node.E = new NewestPass.Leaf { Number = leaf.Number, Back = leaf.Back, Next = leaf.Next };
                break;
            case 3:
                node.L2 = node.E;
                break;
            case 4:
                (node.C ??= []).Add(null);
                break;
        }
    }

    private static string KeptIn(object? graph) => string.Join(' ', Objects(graph).OfType<IUnknownMembers>()
        .Where(kept => kept.UnknownMembers is { Names.Count: > 0 }).Select(kept => string.Join(',', kept.UnknownMembers!.Names)));

    private static bool HasDropped(object graph) =>
        Objects(graph).OfType<IUnknownMembers>().Any(kept => kept.UnknownMembers is { Dropped.Count: > 0 })
        || Objects(graph).Any(value => value is MiddlePass.Plain);

    // Those that known members lead to.
    private static IEnumerable<object> Objects(object? graph)
    {
        var seen = new HashSet<object>(ReferenceEqualityComparer.Instance);
        var open = new Stack<object?>([graph]);
        while (open.TryPop(out object? value))
        {
            if (value is null or string || !seen.Add(value))
            {
                continue;
            }

            yield return value;
            IEnumerable<object?> parts = value switch
            {
                MiddlePass.Node node => [node.Bs, node.D, node.Z, node.Part, node.Plain, .. node.Set ?? []],
                MiddlePass.Part part => [part.Node],
                MiddlePass.Plain plain => [plain.Known, plain.KnownList, plain.KnownParts, plain.KnownPart, plain.KnownPlain],
                System.Collections.IEnumerable elements => elements.Cast<object?>(),
                _ => [],
            };
            foreach (object? part in parts)
            {
                open.Push(part);
            }
        }
    }
}

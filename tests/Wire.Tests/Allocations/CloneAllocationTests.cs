using Bench;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Allocations;

/// <summary>What a copy allocates in steady state: the copy, and nothing beside it. Strings are shared.</summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public class CloneAllocationTests
{
    [Fact]
    public void Poco_message() => Check(new Serializer(), Poco.Create(1), Copied);

    [Fact]
    public void List_of_pocos() => Check(new Serializer(), new List<Poco>(Seeded.Pocos(Messages.Count)), list =>
    {
        var copy = new List<Poco>(list.Count);
        foreach (Poco poco in list)
        {
            copy.Add(Copied(poco));
        }

        return copy;
    });

    [Fact]
    public void Tree_with_parent_links() => Check(
        new Serializer(new SerializerOptions { PreserveObjectReferences = true }),
        TreeNode.Create(levels: 8),
        root => CopyTree(root, null));

    [Fact]
    public void What_cannot_change_takes_nothing() => Check<object>(new Serializer(), "text", text => text);

    private static Poco Copied(Poco poco) => new()
    {
        StringProp = poco.StringProp,
        IntProp = poco.IntProp,
        GuidProp = poco.GuidProp,
        DateProp = poco.DateProp,
    };

    private static TreeNode CopyTree(TreeNode node, TreeNode? parent)
    {
        var copy = new TreeNode { Id = node.Id, Name = node.Name, Parent = parent };
        copy.Left = node.Left is null ? null : CopyTree(node.Left, copy);
        copy.Right = node.Right is null ? null : CopyTree(node.Right, copy);
        return copy;
    }

    private static void Check<T>(Serializer serializer, T value, Func<T, T> byHand)
        where T : class
    {
        object? last = null;
        var clone = new Gauge(() => last = serializer.Clone(value));
        var hand = new Gauge(() => last = byHand(value));
        Gauge.Settle(() => clone.BytesOfTenCalls == hand.BytesOfTenCalls, clone, hand);
        Assert.Equal(hand.BytesOfTenCalls, clone.BytesOfTenCalls);
        Assert.NotNull(last);
    }
}

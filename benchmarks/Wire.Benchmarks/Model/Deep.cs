using System.Collections;

namespace Bench;

/// <summary>Compares what the scenarios hold, by content.</summary>
internal static class Deep
{
    public static bool Same(object? left, object? right) => (left, right) switch
    {
        (null, null) => true,
        (null, _) or (_, null) => false,
        _ when left.GetType() != right.GetType() => false,
        (Poco a, Poco b) => a.HasSameMembers(b),
        (DateTime a, DateTime b) => a == b && a.Kind == b.Kind,
        (Ping a, Ping b) => a.Sequence == b.Sequence,
        (Ack a, Ack b) => a.Message == b.Message && a.IsAccepted == b.IsAccepted,
        (Reading a, Reading b) => a.Sensor == b.Sensor && a.Value.Equals(b.Value) && Same(a.At, b.At),
        (Notice a, Notice b) => a.Topic == b.Topic && a.Text == b.Text,
        (Move a, Move b) => a.From == b.From && a.To == b.To && a.Color == b.Color,
        (Figure a, Figure b) => a.Id == b.Id && Same(a.Shape, b.Shape),
        (Dot a, Dot b) => a.X.Equals(b.X) && a.Y.Equals(b.Y),
        (Circle a, Circle b) => a.X.Equals(b.X) && a.Y.Equals(b.Y) && a.Radius.Equals(b.Radius),
        (Box a, Box b) => a.Width == b.Width && a.Height == b.Height,
        (Label a, Label b) => a.Text == b.Text,
        (Switch a, Switch b) => a.IsOn == b.IsOn && a.Since == b.Since,
        (IList a, IList b) => SameItems(a, b),
        _ => left.Equals(right),
    };

    /// <summary>The same keys with the same POCOs, in any order.</summary>
    public static bool Same(IReadOnlyDictionary<string, Poco> left, IReadOnlyDictionary<string, Poco> right) =>
        left.Count == right.Count && left.All(pair => right.TryGetValue(pair.Key, out Poco? other) && pair.Value.HasSameMembers(other));

    public static bool Same(Order left, Order right) => Array.TrueForAll(
        typeof(Order).GetProperties(),
        property => Same(property.GetValue(left), property.GetValue(right)));

    /// <summary>The same nodes, and every parent link to the very node above.</summary>
    public static bool Same(TreeNode left, TreeNode right) =>
        left.Id == right.Id && left.Name == right.Name
        && left.Parent is null == right.Parent is null
        && SameChild(left.Left, right.Left) && SameChild(left.Right, right.Right)
        && IsParentOfAll(left) && IsParentOfAll(right);

    private static bool SameChild(TreeNode? left, TreeNode? right) =>
        left is null || right is null ? left == right : Same(left, right);

    private static bool IsParentOfAll(TreeNode node) =>
        (node.Left is null || ReferenceEquals(node.Left.Parent, node)) && (node.Right is null || ReferenceEquals(node.Right.Parent, node));

    private static bool SameItems(IList left, IList right)
    {
        if (left.Count != right.Count)
        {
            return false;
        }

        for (int i = 0; i < left.Count; i++)
        {
            if (!Same(left[i], right[i]))
            {
                return false;
            }
        }

        return true;
    }
}

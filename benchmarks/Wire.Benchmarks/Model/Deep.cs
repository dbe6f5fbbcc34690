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
        (IList a, IList b) => SameItems(a, b),
        (ValueType or string, _) => left.Equals(right),
        _ => SameMembers(left, right),
    };

    /// <summary>The same keys with the same POCOs, in any order.</summary>
    public static bool Same(IReadOnlyDictionary<string, Poco> left, IReadOnlyDictionary<string, Poco> right) =>
        left.Count == right.Count && left.All(pair => right.TryGetValue(pair.Key, out Poco? other) && pair.Value.HasSameMembers(other));

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

    // Of the classes of the model, whose members are all properties.
    private static bool SameMembers(object left, object right) =>
        Array.TrueForAll(left.GetType().GetProperties(), property => Same(property.GetValue(left), property.GetValue(right)));

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

namespace Wire;

/// <summary>The first difference of two graphs, found by <see cref="GraphEquality"/>.</summary>
public sealed class GraphDifference
{
    internal GraphDifference(string memberPath, string reason, object? left, object? right) =>
        (MemberPath, Reason, Left, Right) = (memberPath, reason, left, right);

    /// <summary>
    /// Gets the members on the way from the roots to the values that differ, such as <c>Lines[2].Price</c>; an empty string at the roots.
    /// Elements of a collection without an order have the indexes of the left graph. Long paths are shortened in the middle.
    /// </summary>
    public string MemberPath { get; }

    /// <summary>Gets the difference as a text for people.</summary>
    public string Reason { get; }

    /// <summary>Gets the value in the left graph.</summary>
    public object? Left { get; }

    /// <summary>Gets the value in the right graph.</summary>
    public object? Right { get; }

    /// <summary>Returns the path and the reason.</summary>
    public override string ToString() => MemberPath.Length == 0 ? Reason : $"{MemberPath}: {Reason}";
}

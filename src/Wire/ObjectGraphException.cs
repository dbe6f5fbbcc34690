namespace Wire;

/// <summary>
/// The object graph that the caller handed over cannot be written within the limits, which would refuse it when it is read: it is too deep
/// or too large, or it has a cycle.
/// </summary>
public sealed class ObjectGraphException : ArgumentException
{
    internal ObjectGraphException(string message, string memberPath)
        : base(message) => MemberPath = memberPath;

    /// <summary>The members that led from the root to the place; long paths are shortened in the middle.</summary>
    public string MemberPath { get; }
}

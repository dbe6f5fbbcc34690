namespace Wire;

/// <summary>
/// The exception for an object graph that cannot be written within the limits, and so could not be read: it is too deep or too large, or
/// has a cycle.
/// </summary>
public sealed class ObjectGraphException : ArgumentException
{
    internal ObjectGraphException(string message, string memberPath)
        : base(message) => MemberPath = memberPath;

    /// <summary>The members on the way from the root to the failing value; long paths are shortened in the middle.</summary>
    public string MemberPath { get; }
}

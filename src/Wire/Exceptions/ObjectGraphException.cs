namespace Wire;

/// <summary>
/// The exception for an object graph that cannot be written within the limits, and so could not be read: it is too deep or too large, or
/// has a cycle; and for one that cannot be copied.
/// </summary>
public sealed class ObjectGraphException : ArgumentException
{
    internal ObjectGraphException(string message, string memberPath, Exception? inner = null)
        : base(message, inner) => MemberPath = memberPath;

    /// <summary>The members on the way from the root to the failing value; long paths are shortened in the middle.</summary>
    public string MemberPath { get; }
}

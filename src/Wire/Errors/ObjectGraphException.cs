namespace Wire;

/// <summary>The object graph that the caller handed over cannot be written within the limits: it is too deep, or it has a cycle.</summary>
public sealed class ObjectGraphException : ArgumentException
{
    internal ObjectGraphException(string message, string memberPath)
        : base(message) => MemberPath = memberPath;

    /// <summary>The members that led from the root to the place; long paths are shortened in the middle.</summary>
    public string MemberPath { get; }
}

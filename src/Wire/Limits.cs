namespace Wire;

/// <summary>What a payload, or an object graph, may at most cost. Immutable.</summary>
public sealed record Limits
{
    /// <summary>The limits of <see cref="SerializerOptions.Default"/>.</summary>
    public static Limits Default { get; } = new();

    /// <summary>How deep objects may contain objects, on write and read. At least 1; 1,000 by default. Any depth is safe for the stack of the serializer itself; hash codes and comparisons of keys that your own classes define are theirs.</summary>
    public int MaxDepth { get; init; } = 1000;

    /// <summary>How many elements one collection of a payload may have. At least 0; 16,777,216 by default.</summary>
    public int MaxElements { get; init; } = 1 << 24;

    /// <summary>How many bytes a payload may have when it is read. At least 1; 2,147,483,647 by default.</summary>
    public long MaxBytes { get; init; } = int.MaxValue;

    /// <summary>How many bytes a frame of a framed stream may have, on write and read. At least 1; 67,108,864 by default.</summary>
    public int MaxFrameBytes { get; init; } = 1 << 26;

    /// <summary>
    /// How many generic types and arrays that the program has not used itself payloads may name, in the life of one serializer; as
    /// many generic methods of delegates, members and expressions, and signatures of lambdas. At least 0; 4,096 by default. The
    /// runtime keeps such types for ever. Not counted, and read whatever payloads have named before, is what the program has
    /// written with the serializer, what the types that it asks for declare, and what the options name.
    /// </summary>
    public int MaxConstructedTypes { get; init; } = 4096;

    /// <summary>
    /// How many times, beyond a few per key, the keys of one payload's collections may meet others in the same place of a hash table. At
    /// least 0; 1,048,576 by default, which takes a few milliseconds: a collection of about 1,400 keys with one and the same hash code is
    /// still read. Keys that are made to collide would otherwise take a time that grows with the square of their number. Strings are not
    /// counted where .NET hashes them with a secret of the process. An <see cref="System.Dynamic.ExpandoObject"/> compares each member's
    /// name with all those before it, so that this is also what it may have: some 1,400 members.
    /// </summary>
    public long MaxCollisions { get; init; } = 1 << 20;

    internal void Validate()
    {
        ArgumentOutOfRangeException.ThrowIfNegative(MaxConstructedTypes);
        ArgumentOutOfRangeException.ThrowIfNegative(MaxCollisions);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxFrameBytes, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxDepth, 1);
        ArgumentOutOfRangeException.ThrowIfNegative(MaxElements);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxBytes, 1);
    }
}

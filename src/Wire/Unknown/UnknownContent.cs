namespace Wire.Unknown;

/// <summary>
/// The bytes of an unknown member, or of an object in one, without what depends on their payload: in place of each object stands a part.
/// </summary>
/// <param name="bytes">The bytes between the parts.</param>
/// <param name="parts">The objects in it, by their positions in those bytes.</param>
/// <param name="size">The number of bytes that it had in its payload, without the definitions of types.</param>
internal sealed class UnknownContent(byte[] bytes, UnknownPart[] parts, long size)
{
    /// <summary>The memory of a part, counted like other memory.</summary>
    public const int CostOfPart = 24;

    /// <summary>Gets the bytes between the parts.</summary>
    public byte[] Bytes => bytes;

    /// <summary>Gets the objects in it.</summary>
    public UnknownPart[] Parts => parts;

    /// <summary>Gets the number of bytes that it had in its payload, without the definitions of types.</summary>
    public long Size => size;

    /// <summary>Gets whether its objects had numbers, so that others may refer to them.</summary>
    public bool HasIdentities => Array.Exists(parts, part => part.Object.HasIdentity);

    /// <summary>Returns the same bytes around other objects.</summary>
    public UnknownContent With(UnknownPart[] others) => new(bytes, others, size);

    /// <summary>Returns whether it holds an object that cannot be carried over.</summary>
    /// <param name="isMissing">True if something of its message is missing.</param>
    public bool HoldsLost(bool isMissing) => Array.Exists(parts, part => part.IsLost(isMissing));
}

/// <summary>An object in the bytes of another one, or a reference to it.</summary>
/// <param name="At">The number of bytes in front of it.</param>
/// <param name="Object">The object.</param>
/// <param name="IsHome">True where the object itself stood; false for a reference to it.</param>
internal readonly record struct UnknownPart(int At, UnknownObject Object, bool IsHome)
{
    /// <summary>Returns whether it cannot be carried over.</summary>
    /// <param name="isMissing">True if something of its message is missing: then its place may be missing, or come later.</param>
    public bool IsLost(bool isMissing) => Object.IsLost || (isMissing && !IsHome && Object is { IsBound: true, Real: null });
}

namespace Wire.Unknown;

/// <summary>An object that no type of the program stands for, with the bytes that it has inside.</summary>
/// <param name="hasIdentity">True if the payload numbers its objects, so that others may refer to it.</param>
internal sealed class UnknownObject(bool hasIdentity)
{
    /// <summary>The memory of an object, counted like other memory.</summary>
    public const int Cost = 192;

    /// <summary>Gets whether other parts of its message may refer to it.</summary>
    public bool HasIdentity => hasIdentity;

    /// <summary>Gets what stands for the object among others: one that has no number is met once, wherever it comes to lie.</summary>
    public object Identity => hasIdentity ? this : new object();

    /// <summary>Gets the manifest of its type; null where a tag in its content stands for that.</summary>
    public UnknownTypeManifest? Manifest { get; private set; }

    /// <summary>Gets whether its type depends on the position in which it stood.</summary>
    public bool IsBound { get; private set; }

    /// <summary>Gets its content; null for an object that did not stand in an unknown member.</summary>
    public UnknownContent? Content { get; private set; }

    /// <summary>Gets the object that the program has made of it, because a member that it knows refers to it.</summary>
    public object? Real { get; private set; }

    /// <summary>Gets the objects that are written inside of it.</summary>
    public IReadOnlyList<UnknownPart> Parts => Real is null && Content is { } content ? content.Parts : [];

    /// <summary>Gets or sets whether it cannot be carried over, or holds an object that cannot.</summary>
    public bool IsLost { get; set; }

    public void SetType(UnknownTypeManifest? manifest, bool isBound) => (Manifest, IsBound) = (manifest, isBound);

    public void SetContent(UnknownContent content) => Content = content;

    /// <summary>Returns one that stands for a copy of what the program has made of it.</summary>
    public UnknownObject For(object real) => new(hasIdentity) { Real = real };

    /// <summary>Takes what the program has made of it, and decides whether it can be written.</summary>
    /// <param name="real">That object; null when there is none.</param>
    /// <param name="isSame">True if the object is written as what it was.</param>
    public void Resolve(object? real, bool isSame)
    {
        Real = real;
        IsLost = real is null ? Content is null : !isSame;
    }
}

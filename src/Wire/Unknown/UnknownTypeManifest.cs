namespace Wire.Unknown;

/// <summary>The definition of a type that came with kept data or describes an object that has some: equal when its bytes are.</summary>
internal sealed class UnknownTypeManifest : IEquatable<UnknownTypeManifest>
{
    private readonly byte[] _definition;
    private readonly int _hash;

    /// <param name="definition">The tag, the length and the manifest.</param>
    public UnknownTypeManifest(byte[] definition)
    {
        _definition = definition;
        var hash = new HashCode();
        hash.AddBytes(definition);
        _hash = hash.ToHashCode();
    }

    /// <summary>Gets the tag, the length and the manifest.</summary>
    public ReadOnlySpan<byte> Definition => _definition;

    /// <inheritdoc/>
    public bool Equals(UnknownTypeManifest? other) => other is not null && _definition.AsSpan().SequenceEqual(other._definition);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as UnknownTypeManifest);

    /// <inheritdoc/>
    public override int GetHashCode() => _hash;
}

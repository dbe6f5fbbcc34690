namespace Wire;

/// <summary>A row of <see cref="WireTypes"/>: a type of which a trimmed or native program keeps what Wire needs. Immutable.</summary>
public sealed class WireTypeRow
{
    internal WireTypeRow(Type type) => Type = type;

    /// <summary>The type.</summary>
    public Type Type { get; }

    /// <inheritdoc/>
    public override string ToString() => Type.ToString();
}

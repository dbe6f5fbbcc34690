namespace Wire;

/// <summary>A row of <see cref="WireTypes"/>: a type of which a trimmed or native program keeps what Wire needs. Immutable.</summary>
public sealed class WireTypeRow
{
    internal WireTypeRow(Type type, Func<object>? create = null)
    {
        Type = type;
        Create = create;
    }

    /// <summary>The type.</summary>
    public Type Type { get; }

    /// <summary>The function that makes an object of the class, all of whose fields are zero; null if the program gives none.</summary>
    internal Func<object>? Create { get; }

    /// <inheritdoc/>
    public override string ToString() => Type.ToString();
}

using Wire.Format;

namespace Wire;

/// <summary>A type that a payload defines or uses, as its bytes say: nothing is looked up or loaded. Immutable.</summary>
public sealed class PayloadType
{
    private readonly ManifestContent _definition;

    internal PayloadType(ManifestContent definition) => _definition = definition;

    /// <summary>
    /// Gets the name, as the payload has it. Null for a known type, whose name only the program has, and where the variable that holds the
    /// value declares the type.
    /// </summary>
    public string? Name => _definition.Name;

    /// <summary>Gets the identifier of a type of <see cref="SerializerOptions.KnownTypes"/>; null for others.</summary>
    public int? KnownType => _definition.KnownType;

    /// <summary>Gets whether the payload names the type, by its name or as a known one.</summary>
    public bool IsNamed => _definition.HasName;

    /// <summary>Gets whether another type, a surrogate, stands for the values: the members are the surrogate's.</summary>
    public bool IsSurrogate => _definition.IsSurrogate;

    /// <summary>
    /// Gets the layout of the values, on one line and of bounded length, such as <c>(Id: Int32, Name: String)</c>. Null where the writer
    /// left it out, because <see cref="SerializerOptions.VersionTolerance"/> was off.
    /// </summary>
    public string? Schema => Layout?.ToString();

    /// <summary>
    /// Gets the position of the definition, in bytes from the beginning of the payload; -1 for one of an earlier message.
    /// </summary>
    public int Offset { get; internal init; } = -1;

    /// <summary>Gets the number of bytes of the definition, with its tag and length: 0 for one of an earlier message.</summary>
    public int Length { get; internal init; }

    /// <summary>Gets the identifier, by which the payload names the type again.</summary>
    internal uint Id { get; init; }

    internal Shape? Layout => _definition.Schema;

    internal ManifestContent Definition => _definition;

    /// <summary>Gets the name, or what stands for it.</summary>
    public override string ToString() => _definition.DisplayName;

    /// <summary>The same type, in a message that does not define it.</summary>
    internal PayloadType Undefined() => Offset < 0 ? this : new(_definition) { Id = Id };
}

namespace Wire;

/// <summary>
/// Leaves a field, or the field behind an automatic property, out of the bytes. <see cref="NonSerializedAttribute"/> and
/// <c>IgnoreDataMemberAttribute</c> do the same.
/// </summary>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
public sealed class IgnoreMemberAttribute : Attribute;

/// <summary>
/// The name by which a type or member is written, instead of its own. A member that is renamed keeps its old name by it, so that old bytes
/// are still read. The name of a type includes its namespace, and stands for the type in every assembly.
/// </summary>
/// <remarks>
/// Bytes that were written under a type's own name, which includes its assembly, are read after a rename by
/// <see cref="TypeAliases.Redirect"/>.
/// </remarks>
/// <param name="name">The name; not empty, without '[', ']', ',', '+', '*', '&amp;' and '\'.</param>
[AttributeUsage(AttributeTargets.Class
    | AttributeTargets.Struct
    | AttributeTargets.Enum
    | AttributeTargets.Interface
    | AttributeTargets.Field
    | AttributeTargets.Property)]
public sealed class WireNameAttribute(string name) : Attribute
{
    /// <summary>The name that is written.</summary>
    public string Name { get; } = name;
}

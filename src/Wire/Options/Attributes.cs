namespace Wire;

/// <summary>
/// Excludes a field, or the backing field of an automatic property, from the bytes. <see cref="NonSerializedAttribute"/> and
/// <c>IgnoreDataMemberAttribute</c> do the same.
/// </summary>
/// <example>
/// <code>
/// public sealed class Basket
/// {
///     public List&lt;string> Articles { get; } = [];
///
///     [IgnoreMember]
///     public Action? Changed { get; set; }
/// }
/// </code>
/// </example>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
public sealed class IgnoreMemberAttribute : Attribute;

/// <summary>
/// Sets the name that stands for a type or member in payloads. After a rename, put the old name here: old bytes can still be read. The name
/// of a type includes its namespace, and stands for the type in every assembly.
/// </summary>
/// <remarks>
/// Bytes that were written under a type's own name, which includes its assembly, are read after a rename by
/// <see cref="TypeAliases.Redirect"/>.
/// </remarks>
/// <param name="name">
/// The name, without halves of surrogate pairs. That of a type is not empty, has no space around it, and none of '[', ']', ',', '+', '*',
/// '&amp;' and '\'.
/// </param>
/// <example>
/// <code>
/// [WireName("Shop.Order")]
/// public sealed record SalesOrder(int Id, [property: WireName("Name")] string Customer); // Order and Name, before they were renamed
/// </code>
/// </example>
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

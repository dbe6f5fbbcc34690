namespace Wire;

/// <summary>
/// Has the rows of a table made when its class is compiled: of the types that <see cref="WireTypeAttribute"/> and <see
/// cref="WireDerivedFromAttribute"/> name beside it, and of what these hold. The class is partial and derives from <see
/// cref="WireTypes"/>; its table is in the property <c>Default</c>.
/// </summary>
[AttributeUsage(AttributeTargets.Class, Inherited = false)]
public sealed class WireContextAttribute : Attribute
{
    /// <summary>
    /// Gets or sets whether views of the context's types have properties: <c>view.Customer.Name</c>. They stand beside the context, in an
    /// internal class, and need C# 14. Off by default.
    /// </summary>
    public bool Views { get; set; }
}

/// <summary>Names a type that messages hold, beside <see cref="WireContextAttribute"/>.</summary>
/// <param name="type">The type; a generic one has its arguments.</param>
[AttributeUsage(AttributeTargets.Class, AllowMultiple = true, Inherited = false)]
public sealed class WireTypeAttribute(Type type) : Attribute
{
    /// <summary>Gets the type.</summary>
    public Type Type { get; } = type;
}

/// <summary>
/// Names a base class or an interface, beside <see cref="WireContextAttribute"/>: messages hold all classes and structs of the same project
/// that derive from it or implement it.
/// </summary>
/// <param name="type">The base class or interface.</param>
[AttributeUsage(AttributeTargets.Class, AllowMultiple = true, Inherited = false)]
public sealed class WireDerivedFromAttribute(Type type) : Attribute
{
    /// <summary>Gets the base class or interface.</summary>
    public Type Type { get; } = type;
}

/// <summary>
/// Names a table of an assembly's own types: contexts of the assemblies that refer to it include its rows. Each assembly with a class of
/// <see cref="WireContextAttribute"/> gets it when it is compiled; one with a table by hand may have it in its code.
/// </summary>
/// <param name="type">A public class that derives from <see cref="WireTypes"/> and has a public static property <c>Default</c>.</param>
[AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
public sealed class WireTypesOfAttribute(Type type) : Attribute
{
    /// <summary>Gets the class of the table.</summary>
    public Type Type { get; } = type;
}

using System.Reflection;
using Wire.Resolution;
using Wire.Runtime;

namespace Wire.Filtering;

/// <summary>One rule of a <see cref="WireTypeFilter"/>: the types that it concerns, and its verdict on them.</summary>
internal abstract class TypeRule
{
    /// <summary>Gets whether the rule denies.</summary>
    public bool Denies { get; init; }

    /// <summary>
    /// Returns whether the rule concerns a type, without loading it: by its name and the metadata of a loaded assembly.
    /// </summary>
    /// <param name="place">The assembly to search for the type.</param>
    /// <param name="fullName">The type's name.</param>
    /// <param name="definition">The type's definition; null when the assembly has none of that name.</param>
    public abstract bool Concerns(AssemblyTypes place, string fullName, DefinedType? definition);

    /// <summary>Returns whether the rule concerns a type that is loaded.</summary>
    public abstract bool Matches(Type type);

    /// <summary>Returns whether the rule concerns every type of a name, whatever the type is.</summary>
    /// <param name="fullName">The type's name.</param>
    /// <param name="assembly">The simple name of its assembly.</param>
    public virtual bool IsByName(string fullName, string assembly) => false;

    /// <summary>Gets the types that it concerns, as text for messages.</summary>
    protected abstract string Subject { get; }

    /// <inheritdoc/>
    public sealed override string ToString() => (Denies ? "Deny" : "Allow") + Subject;

    /// <summary>Returns the type with the name: for a constructed generic type, its definition.</summary>
    protected static Type Named(Type type) => type.IsConstructedGenericType ? type.GetGenericTypeDefinition() : type;
}

/// <summary>Everything.</summary>
internal sealed class EveryType : TypeRule
{
    // Types of .NET are matched by full name alone, in any assembly.
    public override bool Concerns(AssemblyTypes place, string fullName, DefinedType? definition) => !place.IsFramework;

    public override bool Matches(Type type) => true;

    public override bool IsByName(string fullName, string assembly) => true;

    protected override string Subject => "Everything";
}

/// <summary>One type, or all that an open generic type constructs.</summary>
internal sealed class OneType(Type type) : TypeRule
{
    public Type Type => type;

    public override bool Concerns(AssemblyTypes place, string fullName, DefinedType? definition) =>
        place.Name == type.Assembly.GetName().Name && fullName == type.FullName;

    public override bool Matches(Type other) => other == type || Named(other) == type;

    protected override string Subject => $"({type})";
}

/// <summary>The types of an assembly. Denial goes by the assembly's name, so that a second copy does not evade it.</summary>
internal sealed class InAssembly(Assembly assembly) : TypeRule
{
    private readonly string? _name = assembly.GetName().Name;

    public override bool Concerns(AssemblyTypes place, string fullName, DefinedType? definition) =>
        place.Assembly is { } loaded ? Is(loaded) : IsByName(fullName, place.Name);

    public override bool Matches(Type type) => Is(type.Assembly);

    public override bool IsByName(string fullName, string assembly) =>
        Denies && string.Equals(assembly, _name, StringComparison.OrdinalIgnoreCase);

    protected override string Subject => $"Assembly({_name})";

    // An AssemblyBuilder is another object than its assembly, but has the same module identifier.
    private bool Is(Assembly other) => other == assembly
        || (other.IsDynamic && assembly.IsDynamic && other.ManifestModule.ModuleVersionId == assembly.ManifestModule.ModuleVersionId)
        || IsByName("", AssemblyTypes.ForAssembly(other).Name);
}

/// <summary>The types of a namespace and of those inside it.</summary>
internal sealed class InNamespace(string name) : TypeRule
{
    public override bool Concerns(AssemblyTypes place, string fullName, DefinedType? definition) => Is(fullName);

    public override bool Matches(Type type) => Named(type).FullName is { } fullName && Is(fullName);

    public override bool IsByName(string fullName, string assembly) => Is(fullName);

    protected override string Subject => $"Namespace({name})";

    private bool Is(string fullName) =>
        fullName.Length > name.Length && fullName[name.Length] == '.' && fullName.StartsWith(name, StringComparison.Ordinal);
}

/// <summary>A class or interface, and what derives from it.</summary>
internal sealed class DerivedFrom(Type baseType) : TypeRule
{
    public override bool Concerns(AssemblyTypes place, string fullName, DefinedType? definition) =>
        definition?.DerivesFrom(Named(baseType)) == true;

    public override bool Matches(Type type) =>
        baseType.IsAssignableFrom(type) || Named(type) == baseType || type.DerivesFromDefinition(baseType);

    protected override string Subject => $"DerivedFrom({baseType})";
}

/// <summary>The types that have an attribute themselves.</summary>
internal sealed class WithAttribute(Type attribute) : TypeRule
{
    public override bool Concerns(AssemblyTypes place, string fullName, DefinedType? definition) =>
        (Denies || !place.IsFramework) && definition?.HasAttribute(attribute) == true;

    public override bool Matches(Type type) =>
        (Denies || !FrameworkAssemblies.Contains(type.Assembly)) && type.IsDefined(attribute, inherit: false);

    protected override string Subject => $"WithAttribute({attribute})";
}

/// <summary>The types that a predicate accepts by their names.</summary>
internal sealed class Where(Func<string, string, bool> predicate) : TypeRule
{
    public override bool Concerns(AssemblyTypes place, string fullName, DefinedType? definition) =>
        (Denies || !place.IsFramework) && predicate(fullName, place.Name);

    public override bool Matches(Type type) =>
        AssemblyTypes.ForAssembly(type.Assembly) is var place
            && (Denies || !place.IsFramework)
            && Named(type).FullName is { } name
            && predicate(name, place.Name);

    public override bool IsByName(string fullName, string assembly) => predicate(fullName, assembly);

    protected override string Subject => "Where(...)";
}

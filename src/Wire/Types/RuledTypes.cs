using System.Diagnostics.CodeAnalysis;
using Wire.Filtering;
using Wire.Resolution;
using Wire.Runtime;

namespace Wire.Types;

/// <summary>
/// The types that rules of the filter allow without naming them one by one, among the assemblies of the program. An assembly that is not
/// loaded yet is loaded only for a type that a rule allows by what the assembly's file says of it. Thread-safe.
/// </summary>
/// <param name="filter">The filter.</param>
/// <param name="aliases">The names that the options give.</param>
/// <param name="types">The types that the program has in native code.</param>
/// <param name="namesCode">True if delegates and members are allowed.</param>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed class RuledTypes(WireTypeFilter filter, TypeAliases aliases, WireTypes types, bool namesCode)
{
    /// <summary>Gets whether no rule allows any.</summary>
    public bool IsEmpty => filter.Allowing.IsEmpty;

    /// <summary>Finds the types of a name.</summary>
    /// <param name="key">The name.</param>
    /// <param name="fullName">Its part without the assembly.</param>
    /// <param name="assembly">Its assembly; null for a <see cref="WireNameAttribute"/> and types of .NET.</param>
    /// <param name="root">The type that the caller asked for: its load context decides among copies of an assembly.</param>
    /// <param name="found">Takes them: the nearest copy of each.</param>
    /// <param name="refused">Why another type of the name is not among them; null when there is no other.</param>
    /// <returns>True if there is an assembly in which a rule allows the name, and which has no type of it.</returns>
    public bool Find(string key, string fullName, string? assembly, Type root, List<Type> found, out TypeRefusedException? refused)
    {
        refused = null;
        if (filter.Allowing.IsEmpty)
        {
            return false;
        }

        bool isExpected = false;
        foreach (AssemblyTypes place in ProgramAssemblies.NearestFirst(root))
        {
            if (assembly is not null && place.Name != assembly)
            {
                continue;
            }

            DefinedType[] definitions = place.Find(key, types);
            isExpected |= definitions.Length == 0 && assembly is not null && Allows(place, fullName, null);
            foreach (DefinedType definition in definitions)
            {
                if (Allows(place, definition.FullName, definition)
                    && !found.Exists(type => TypeNames.IsNamed(type, definition.FullName, place.Name)))
                {
                    Add(found, place, definition, key, ref refused);
                }
            }
        }

        if (found.Count == 0 && assembly is null && filter.IsUnrestricted && FrameworkTypes.Find(fullName) is { } framework)
        {
            AddHarmless(found, framework, key, ref refused);
        }

        return isExpected;
    }

    /// <summary>Returns whether a rule allows a name in an assembly that the program does not have.</summary>
    public bool AllowsByName(string fullName, string assembly) => filter.Allowing.Any(rule => rule.IsByName(fullName, assembly))
        && !filter.Denying.Any(rule => rule.IsByName(fullName, assembly));

    private bool Allows(AssemblyTypes place, string fullName, DefinedType? definition) =>
        filter.Allowing.Any(rule => rule.Concerns(place, fullName, definition));

    private void Add(List<Type> found, AssemblyTypes place, DefinedType definition, string key, ref TypeRefusedException? refused)
    {
        if (filter.Denying.Any(rule => rule.Concerns(place, definition.FullName, definition)))
        {
            refused ??= TypeRefusals.Denied(key);
        }
        else if (definition.Load() is { } type
            && TypeNames.GetDefinitionName(type, aliases) == key
            && filter.Allowing.Any(rule => rule.Matches(type))
            && !(place.IsFramework && FrameworkTypes.HasNamesake(type)))
        {
            AddHarmless(found, type, key, ref refused);
        }
    }

    // Where delegates are allowed, they are only signatures.
    private void AddHarmless(List<Type> found, Type type, string key, ref TypeRefusedException? refused)
    {
        if (Gadgets.Contains(type) && !(namesCode && type.IsSubclassOf(typeof(Delegate))))
        {
            refused ??= TypeRefusals.Gadget(key);
            return;
        }

        found.Add(type);
    }
}

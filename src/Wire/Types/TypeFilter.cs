using System.Collections.Immutable;
using System.Reflection;

namespace Wire;

/// <summary>
/// Decides which types a payload may name. Always allowed are the types that the library knows, the type that the caller
/// asks for and the types of its members by declaration, known types, surrogates and types with an alias or redirect, and
/// of .NET the enums and exceptions; everything else is refused until it is allowed here. The filter judges names: nothing is loaded on a payload's say-so. Immutable and thread-safe; every
/// method returns a new filter.
/// </summary>
public sealed class TypeFilter
{
    private readonly ImmutableArray<Type> _types;
    private readonly ImmutableArray<Assembly> _assemblies;
    private readonly ImmutableArray<string> _namespaces;
    private readonly ImmutableArray<Type> _bases;

    private TypeFilter(ImmutableArray<Type> types, ImmutableArray<Assembly> assemblies, ImmutableArray<string> namespaces, ImmutableArray<Type> bases, bool unrestricted)
    {
        _types = types;
        _assemblies = assemblies;
        _namespaces = namespaces;
        _bases = bases;
        IsUnrestricted = unrestricted;
    }

    /// <summary>Allows what is always allowed, and nothing more: the beginning of every filter.</summary>
    public static TypeFilter Default { get; } = new([], [], [], [], unrestricted: false);

    /// <summary>
    /// Allows every type of every assembly that the program has loaded, except types that are known to run an attacker's
    /// code. Only for closed systems, in which whoever can write the bytes may already do what the program may do: a payload
    /// can then create and fill any object that the program's assemblies define.
    /// </summary>
    public static TypeFilter Unrestricted { get; } = new([], [], [], [], unrestricted: true);

    internal bool IsUnrestricted { get; }

    internal IEnumerable<Type> Types => _types;

    internal IEnumerable<Assembly> Assemblies => _assemblies;

    internal ImmutableArray<Type> Bases => _bases;

    /// <summary>Allows a type, and the types of its members by declaration.</summary>
    public TypeFilter Allow<T>() => Allow(typeof(T));

    /// <summary>Allows a type, and the types of its members by declaration. An open generic type is allowed with every allowed argument.</summary>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    public TypeFilter Allow(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        return new(_types.Add(type), _assemblies, _namespaces, _bases, IsUnrestricted);
    }

    /// <summary>Allows every type that the assembly defines.</summary>
    /// <exception cref="ArgumentNullException"><paramref name="assembly"/> is null.</exception>
    /// <exception cref="ArgumentException">The assembly is the core library: its types are allowed one by one.</exception>
    public TypeFilter AllowAssembly(Assembly assembly)
    {
        ArgumentNullException.ThrowIfNull(assembly);
        if (assembly == typeof(object).Assembly)
        {
            throw new ArgumentException("The core library has types that must not come from a payload. Allow the ones you need by type.", nameof(assembly));
        }

        return new(_types, _assemblies.Add(assembly), _namespaces, _bases, IsUnrestricted);
    }

    /// <summary>Allows every type of a namespace and of the namespaces inside it, in the assemblies that the program has loaded.</summary>
    /// <exception cref="ArgumentException">The namespace is empty, or it is System or Microsoft or inside one of them.</exception>
    public TypeFilter AllowNamespace(string name)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        string root = name.Split('.')[0];
        if (root is "System" or "Microsoft")
        {
            throw new ArgumentException($"'{name}' holds types that must not come from a payload. Allow the ones you need by type.", nameof(name));
        }

        return new(_types, _assemblies, _namespaces.Add(name), _bases, IsUnrestricted);
    }

    /// <summary>Allows every type that derives from a class or implements an interface, in the assemblies that the program has loaded.</summary>
    /// <exception cref="ArgumentException"><typeparamref name="TBase"/> is a type of the core library, from which too much derives.</exception>
    public TypeFilter AllowDerivedFrom<TBase>()
    {
        if (typeof(TBase).Assembly == typeof(object).Assembly)
        {
            throw new ArgumentException($"Too many types derive from {typeof(TBase)}: allow the ones you need by type, assembly or namespace.");
        }

        return new(_types, _assemblies, _namespaces, _bases.Add(typeof(TBase)), IsUnrestricted);
    }

    /// <summary>Whether the namespace of a type's full name is allowed.</summary>
    internal bool AllowsNamespaceOf(string fullName)
    {
        foreach (string allowed in _namespaces)
        {
            if (fullName.Length > allowed.Length && fullName[allowed.Length] == '.' && fullName.StartsWith(allowed, StringComparison.Ordinal))
            {
                return true;
            }
        }

        return false;
    }
}

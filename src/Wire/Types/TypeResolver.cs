using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Metadata;
using System.Runtime.CompilerServices;

namespace Wire;

/// <summary>
/// From a name in a payload to a type. Every component of the name is judged on its own, before anything is looked up;
/// types are then found among those that the program named, or in assemblies that it has loaded. Thread-safe.
/// </summary>
internal sealed class TypeResolver(TypeRegistry registry, SerializerOptions options)
{
    private const int MaxNameLength = 4096;
    private const int MaxNodes = 64;
    private const int MaxConstructed = 4096;
    private const int MaxForwards = 8;

    private readonly TypeMap<Type[]> _constructed = new();
    private readonly TypeMap<FrozenDictionary<string, Type>> _reachable = new();

    // By assembly, so that what is loaded later is found too, and what can be unloaded is not kept.
    private readonly ConditionalWeakTable<Assembly, FrozenDictionary<string, Type>> _defined = [];
    private readonly ConditionalWeakTable<Assembly, FrozenDictionary<string, Type>> _derived = [];

    private readonly Lazy<FrozenDictionary<string, Type>> _named = new(() => Reachable.From(
        registry,
        options.TypeFilter.Types
            .Concat(options.KnownTypes.Values)
            .Concat(options.TypeAliases.Types)
            .Concat(options.Singletons.Select(instance => instance.GetType()))
            .Concat(options.Surrogates.SelectMany(s => new[] { s.SourceType, s.SurrogateType }))));

    /// <summary>Finds a type.</summary>
    /// <param name="name">The name, as a manifest has it.</param>
    /// <param name="root">The type that the caller asked for.</param>
    /// <param name="always">Whether the type is allowed whatever the caller asks for.</param>
    /// <exception cref="TypeRefusedException">The filter does not allow it.</exception>
    /// <exception cref="WireFormatException">The name is not well formed, or nothing has that name.</exception>
    public Type Resolve(string name, Type root, out bool always)
    {
        always = true;
        if (name.Length > MaxNameLength
            || !TypeName.TryParse(name, out TypeName? parsed, new TypeNameParseOptions { MaxNodes = MaxNodes }))
        {
            return Throw.Format<Type>(WireFormatError.Manifest, $"'{(name.Length > 100 ? name[..100] + "..." : name)}' is not a type name of at most {MaxNameLength} characters and {MaxNodes} parts.");
        }

        return Resolve(parsed, root, ref always);
    }

    private Type Resolve(TypeName name, Type root, ref bool always)
    {
        if (name.IsPointer || name.IsByRef)
        {
            throw new TypeRefusedException(name.FullName, "pointers and references cannot come from a payload.", "");
        }

        try
        {
            if (name.IsArray)
            {
                Type element = Resolve(name.GetElementType(), root, ref always);
                int rank = name.GetArrayRank();
                return name.IsSZArray ? element.MakeArrayType() : element.MakeArrayType(rank);
            }

            if (name.IsConstructedGenericType)
            {
                Type definition = Resolve(name.GetGenericTypeDefinition(), root, ref always);
                var arguments = new List<Type>();
                foreach (TypeName argument in name.GetGenericArguments())
                {
                    arguments.Add(Resolve(argument, root, ref always));
                }

                return Construct(definition, [.. arguments]);
            }
        }
        catch (Exception e) when (e is ArgumentException or TypeLoadException or InvalidOperationException or NotSupportedException)
        {
            throw new WireFormatException(WireFormatError.Manifest, $"'{name.FullName}' is not a type that can be: {e.Message}", e);
        }

        return Find(name.FullName, name.AssemblyName?.Name, root, MaxForwards, ref always);
    }

    // The runtime keeps a constructed type for ever, so that made-up ones must not come without end.
    private Type Construct(Type definition, Type[] arguments)
    {
        if (_constructed.Count >= MaxConstructed)
        {
            return _constructed.Types.FirstOrDefault(known => known.GetGenericTypeDefinition() == definition && known.GetGenericArguments().SequenceEqual(arguments))
                ?? Throw.Format<Type>(WireFormatError.Limit, $"Payloads have named more than {MaxConstructed} constructed generic types.");
        }

        Type type = definition.MakeGenericType(arguments);
        _constructed.GetOrAdd(type, arguments);
        return type;
    }

    // A type that is no array and no constructed generic type.
    private Type Find(string fullName, string? assembly, Type root, int forwards, ref bool always)
    {
        string key = assembly is null ? fullName : $"{fullName}, {assembly}";
        if (registry.FindByName(key) is { } builtIn)
        {
            return builtIn;
        }

        if (options.TypeAliases.Find(fullName, assembly) is { } type)
        {
            return type;
        }

        // A root that can be unloaded may have a type of its own by a name that stands for another one elsewhere.
        if (root.IsCollectible && TryReachable(key, root, out type))
        {
            always = false;
            return type;
        }

        if (_named.Value.TryGetValue(key, out type) || TryDerived(key, root, out type))
        {
            return type;
        }

        if (TryReachable(key, root, out type))
        {
            always = false;
            return type;
        }

        if (assembly is null && FrameworkTypes.FindHarmless(fullName) is { } harmless)
        {
            return harmless;
        }

        if (options.NamesCode && (CoreDelegate(fullName, assembly) ?? Closure(fullName, assembly, root, forwards, ref always)) is { } code)
        {
            return code;
        }

        Assembly[] places = [.. LoadContexts.NearestFirst(Places(fullName, assembly), root)];
        if (Search(places, key, fullName, assembly) is { } found)
        {
            return Gadgets.Contains(found) && !(options.NamesCode && found.IsSubclassOf(typeof(Delegate)))
                ? throw new TypeRefusedException(key, "it is known to run code that an attacker chooses.", "It cannot be allowed this way.")
                : found;
        }

        if (assembly is not null && FrameworkTypes.IsHome(assembly))
        {
            return Find(fullName, null, root, forwards, ref always);
        }

        if (assembly is not null && forwards > 0 && ForwardOf(fullName, assembly) is { } now)
        {
            return Find(fullName, now, root, forwards - 1, ref always);
        }

        return assembly is null || places.Length == 0
            ? throw Refused(key, fullName)
            : Throw.Format<Type>(WireFormatError.TypeNotFound, $"The payload names the type '{key}', which is allowed and which this program does not have. If it was renamed or moved, give its new type [WireName(\"...\")] with the old name, or add SerializerOptions.TypeAliases.Redirect(\"{key}\", its new type).");
    }

    // The loaded assemblies whose types of such a name are allowed. A name without an assembly is a [WireName], or of .NET.
    private IEnumerable<Assembly> Places(string fullName, string? assembly)
    {
        TypeFilter filter = options.TypeFilter;
        IEnumerable<Assembly> all = filter.Assemblies;
        if (filter.IsUnrestricted || filter.AllowsNamespaceOf(fullName))
        {
            Assembly[] loaded = AppDomain.CurrentDomain.GetAssemblies();
            all = all.Union(assembly is null ? loaded.Where(place => !BuiltInFactory.IsFramework(place)) : loaded);
        }

        return assembly is null ? all : all.Where(place => place.GetName().Name == assembly);
    }

    private Type? Search(Assembly[] places, string key, string fullName, string? assembly)
    {
        foreach (Assembly place in places)
        {
            FrozenDictionary<string, Type> types = place.IsDynamic ? TypesByName(place) : _defined.GetValue(place, TypesByName);
            if (types.TryGetValue(key, out Type? found))
            {
                return found;
            }
        }

        return assembly is null && options.TypeFilter.IsUnrestricted ? FrameworkTypes.Find(fullName) : null;
    }

    // Where delegates are allowed, the types of .NET's own are only signatures with a name.
    private static Type? CoreDelegate(string fullName, string? assembly) =>
        assembly is null && FrameworkTypes.Find(fullName) is { } type && type.IsSubclassOf(typeof(Delegate)) ? type : null;

    // What a lambda captures is as allowed as the class that has the lambda.
    private Type? Closure(string fullName, string? assembly, Type root, int forwards, ref bool always)
    {
        int plus = fullName.LastIndexOf("+<>c", StringComparison.Ordinal);
        if (plus < 0)
        {
            return null;
        }

        Type around = Find(fullName[..plus], assembly, root, forwards, ref always);
        return around.GetNestedType(fullName[(plus + 1)..], BindingFlags.Public | BindingFlags.NonPublic) is { } type && DelegateSerializer.IsClosure(type) ? type : null;
    }

    // Where a type is that used to be in an assembly which the program still has loaded. The filter judges the new place.
    private static string? ForwardOf(string fullName, string assembly) => AppDomain.CurrentDomain.GetAssemblies()
        .Where(place => !place.IsDynamic && place.GetName().Name == assembly)
        .Select(place => AssemblyMetadata.ForwardOf(place, fullName))
        .FirstOrDefault(target => target is not null);

    // Only what the assembly itself defines: a look-up by name would follow its type forwards and load what they lead to.
    private FrozenDictionary<string, Type> TypesByName(Assembly assembly)
    {
        var types = new Dictionary<string, Type>();
        foreach (Type type in DefinedTypes(assembly))
        {
            types.TryAdd(TypeNames.OfDefinition(type, options.TypeAliases), type);
        }

        return types.ToFrozenDictionary();
    }

    private bool TryReachable(string key, Type root, [NotNullWhen(true)] out Type? type) =>
        _reachable.GetOrAdd(root, static (asked, registry) => Reachable.From(registry, [asked]), registry).TryGetValue(key, out type);

    private bool TryDerived(string key, Type root, [NotNullWhen(true)] out Type? type)
    {
        type = null;
        if (options.TypeFilter.Bases.Length > 0)
        {
            foreach (Assembly place in LoadContexts.NearestFirst(AppDomain.CurrentDomain.GetAssemblies(), root))
            {
                FrozenDictionary<string, Type> types = place.IsDynamic ? DerivedTypes(place) : _derived.GetValue(place, DerivedTypes);
                if (types.TryGetValue(key, out type))
                {
                    return true;
                }
            }
        }

        return false;
    }

    private FrozenDictionary<string, Type> DerivedTypes(Assembly assembly)
    {
        ImmutableArray<Type> bases = options.TypeFilter.Bases;
        var types = new Dictionary<string, Type>();
        foreach (Type candidate in Refers(assembly, bases) ? DefinedTypes(assembly) : [])
        {
            if (bases.Any(b => b.IsAssignableFrom(candidate) || Reachable.DerivesFromDefinition(candidate, b)))
            {
                types.TryAdd(TypeNames.OfDefinition(candidate, options.TypeAliases), candidate);
            }
        }

        return types.ToFrozenDictionary();
    }

    private static bool Refers(Assembly assembly, ImmutableArray<Type> bases) => bases.Any(
        b => b.Assembly == assembly
            || (!assembly.IsDynamic && Array.Exists(assembly.GetReferencedAssemblies(), r => r.Name == b.Assembly.GetName().Name)));

    private static IEnumerable<Type> DefinedTypes(Assembly assembly)
    {
        try
        {
            return assembly.GetTypes();
        }
        catch (ReflectionTypeLoadException e)
        {
            // Types that need an assembly which is not there cannot be named by a payload either.
            return e.Types.OfType<Type>();
        }
    }

    private static TypeRefusedException Refused(string key, string fullName)
    {
        string[] parts = fullName[(fullName.LastIndexOfAny(['.', '+']) + 1)..].Split('`');
        string allow = parts.Length == 2 && int.TryParse(parts[1], out int arity) && arity is > 0 and <= MaxNodes
            ? $"Allow(typeof({parts[0]}<{new string(',', arity - 1)}>))"
            : $"Allow<{parts[0]}>()";
        return new(
            key,
            "nothing in the program allows it.",
            $"If payloads may create it, add it to SerializerOptions.TypeFilter, for example TypeFilter.Default.{allow}, or to SerializerOptions.KnownTypes.");
    }
}

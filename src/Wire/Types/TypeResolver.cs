using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Metadata;
using System.Runtime.Loader;
using Wire.Errors;
using Wire.Filtering;
using Wire.Resolution;
using Wire.Runtime;

namespace Wire.Types;

/// <summary>
/// Resolves a name in a payload to a type. Every component of the name is checked by the filter before anything is loaded; types are found
/// among those that the program named, or in loaded assemblies. Thread-safe.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed class TypeResolver(TypeRegistry registry, SerializerOptions options)
{
    private const int MaxForwards = 8;

    private readonly WireTypeFilter _filter = options.TypeFilter;
    private readonly RuledTypes _ruled = new(options.TypeFilter, options.TypeAliases, options.Types, options.NamesCode);
    private readonly TypeMap<Dictionary<string, Type[]>> _reachable = new();
    private readonly FoundTypes _found = new();

    private readonly Lazy<Dictionary<string, Type[]>> _named = new(
        () => ReferenceEquals(options, SerializerOptions.Default)
            ? []
            : Reachable.From(registry, [.. NamedBy(options)]), LazyThreadSafetyMode.PublicationOnly);

    /// <summary>The generic types and arrays that payloads have named.</summary>
    public Constructed Constructed { get; } = new(options.Limits.MaxConstructedTypes, "generic types and arrays");

    /// <summary>Finds a type.</summary>
    /// <param name="name">The name, as a manifest has it.</param>
    /// <param name="root">The type that the caller asked for.</param>
    /// <param name="always">
    /// True if the name means this type for every root of the same load context (<see cref="LoadContexts.OwnOf"/>).
    /// </param>
    /// <exception cref="TypeRefusedException">The filter does not allow it.</exception>
    /// <exception cref="WireFormatException">The name is not well formed, or no type has it.</exception>
    public Type Resolve(string name, Type root, out bool always)
    {
        always = true;
        return name.Length <= TypeNames.MaxLength && PlainName.TryParse(name, out string fullName, out string? assembly)
            ? Allowed(Find(fullName, assembly, root, MaxForwards, ref always))
            : Parse(name, root, ref always);
    }

    /// <summary>Lists the types that payloads may name because the options or the requested type declare them.</summary>
    public IEnumerable<Type> DeclaredBy(Type root) => _named.Value.Values.Concat(Reach(root).Values).SelectMany(types => types);

    /// <summary>
    /// Says why types to which the program gives names cannot be written by them; null when they can. Readers cannot tell types of one name
    /// apart. Old and new versions of a type may share a name, where payloads may have only one of them, or where the type is the root,
    /// which the program asks for.
    /// </summary>
    public string? RefusalOf(List<Type> given)
    {
        foreach (Type type in given)
        {
            string name = TypeNames.GetDefinitionName(type, options.TypeAliases);
            if (NamesakeOf(type, name) is { } other)
            {
                return TypeRefusals.SharedBy(name, type, other);
            }
        }

        return null;
    }

    // A base class of the name counts in any case: a variable of that class declares it.
    private Type? NamesakeOf(Type type, string name)
    {
        for (Type? above = type.BaseType; above is not null; above = above.BaseType)
        {
            if (!FrameworkAssemblies.Contains(above.Assembly)
                && TypeNames.GetDefinitionName(Definition(above), options.TypeAliases) == name)
            {
                return above;
            }
        }

        List<Type> types = [.. _named.Value.GetValueOrDefault(name, [])];
        _ruled.Find(name, name, null, type, types, out _);
        return types.Exists(each => TypeNames.IsSame(each, type)) && !_filter.IsDenied(type) ? Other(type, types) : null;
    }

    /// <summary>Checks that the names which messages may have mean one type each.</summary>
    /// <param name="root">The type of the messages: names of types that these cannot have are not looked at.</param>
    /// <exception cref="UnsupportedTypeException">A name means two types.</exception>
    public void CheckNames(Type root)
    {
        Dictionary<string, Type[]> reached = Reach(root);
        IEnumerable<string> declared = _named.Value.Concat(reached).SelectMany(pair => pair.Value.Select(_ => pair.Key));
        IEnumerable<string> allowed = _ruled.IsEmpty ? [] : ProgramAssemblies.All().SelectMany(place => place.GivenNames);
        var variables = new Lazy<Type[]>(() => [.. Reachable.Through(registry, [root])]);
        foreach (string name in declared.Concat(allowed).GroupBy(name => name).Where(same => same.Skip(1).Any()).Select(same => same.Key))
        {
            List<Type> types = [.. _named.Value.GetValueOrDefault(name, []), .. reached.GetValueOrDefault(name, [])];
            if (name.Contains(',', StringComparison.Ordinal) || (types.Count > 0 && !IsGiven(name, [.. types])))
            {
                continue;
            }

            _ruled.Find(name, name, null, root, types, out _);
            Type? one = types.Find(type => !_filter.IsDenied(type) && Array.Exists(variables.Value, variable => IsHeldBy(variable, type)));
            if (one is not null && Other(one, types) is { } other)
            {
                throw new UnsupportedTypeException(one, TypeRefusals.SharedBy(name, one, other));
            }
        }
    }

    private static bool IsHeldBy(Type variable, Type type) => type.IsGenericTypeDefinition && variable.IsGenericType
        ? type.DerivesFromDefinition(variable.GetGenericTypeDefinition())
        : variable.IsAssignableFrom(type);

    private Type Parse(string name, Type root, ref bool always)
    {
        if (name.Length > TypeNames.MaxLength
            || !TypeName.TryParse(name, out TypeName? parsed, new TypeNameParseOptions { MaxNodes = TypeNames.MaxParts }))
        {
            return ThrowHelper.Format<Type>(
                WireFormatError.Manifest,
                $"'{(name.Length > 100 ? name[..100] + "..." : name)}' is not a type name of at most {TypeNames.MaxLength} characters "
                + $"and {TypeNames.MaxParts} parts.");
        }

        return Resolve(parsed, root, ref always);
    }

    /// <summary>Checks a type that a variable of the program declares, so that payloads need not name it.</summary>
    /// <exception cref="TypeRefusedException">The filter denies it, or a part that every value needs.</exception>
    public void Judge(Type type)
    {
        if (!_filter.Denying.IsEmpty)
        {
            Judge(type, []);
        }
    }

    private void Judge(Type type, HashSet<Type> seen)
    {
        if (!seen.Add(type) || type.IsGenericParameter)
        {
            return;
        }

        if (_filter.IsDenied(type))
        {
            throw TypeRefusals.Denied(TypeNames.GetName(type, options.TypeAliases));
        }

        if (type.HasElementType)
        {
            Judge(type.GetElementType()!, seen);
            return;
        }

        if (type.IsConstructedGenericType)
        {
            Array.ForEach(type.GetGenericArguments(), argument => Judge(argument, seen));
        }

        // Value types inside the type have no manifest. A variable of a reference type checks its own values.
        Type? part = SerializerSource.Library.BasePartOf(type);
        foreach (Type member in registry.DeclaredMemberTypes(type).Where(member => member.IsValueType || member == part))
        {
            Judge(member, seen);
        }
    }

    private Type Resolve(TypeName name, Type root, ref bool always)
    {
        if (name.IsPointer || name.IsByRef)
        {
            throw new TypeRefusedException(name.FullName, "pointers and references cannot come from a payload.", "");
        }

        Type type;
        if (name.IsArray)
        {
            Type element = Closed(Resolve(name.GetElementType(), root, ref always));
            int rank = name.GetArrayRank();
            type = name.IsSZArray
                ? Construct(name, root, 0, [element], () => element.MakeArrayType())
                : Construct(name, root, rank, [element], () => element.MakeArrayType(rank));
        }
        else if (name.IsConstructedGenericType)
        {
            Type definition = Resolve(name.GetGenericTypeDefinition(), root, ref always);
            var arguments = new List<Type>();
            foreach (TypeName argument in name.GetGenericArguments())
            {
                arguments.Add(Closed(Resolve(argument, root, ref always)));
            }

            Type[] parts = [.. arguments];
            type = Construct(name, root, definition, parts, () => definition.MakeGenericType(parts));
        }
        else
        {
            type = Find(name.FullName, name.AssemblyName?.Name, root, MaxForwards, ref always);
        }

        return Allowed(type);
    }

    private Type Allowed(Type type) =>
        _filter.IsDenied(type) ? throw TypeRefusals.Denied(TypeNames.GetName(type, options.TypeAliases)) : type;

    // An open type can be the value of a Type, but not a part of another type.
    private static Type Closed(Type part) => part.ContainsGenericParameters
        ? ThrowHelper.Format<Type>(WireFormatError.Manifest, $"{part} has no type arguments inside the name of another type.")
        : part;

    private Type Construct(TypeName name, Type root, object form, Type[] parts, Func<Type> make)
    {
        try
        {
            return Constructed.Get(form, parts, make, () => Recall(root));
        }
        catch (Exception e) when (e is ArgumentException or TypeLoadException or InvalidOperationException or NotSupportedException)
        {
            throw new WireFormatException(WireFormatError.Manifest, $"'{name.FullName}' is not a possible type: {e.Message}", e);
        }
    }

    // Types that the options and the root declare belong to the program, even if a payload has named them before.
    private void Recall(Type root)
    {
        _ = _named.Value;
        Reach(root);
        Constructed.Own(root);
    }

    // Finds a type that is neither an array nor a constructed generic type.
    private Type Find(string fullName, string? assembly, Type root, int forwards, ref bool always)
    {
        string key = TypeRefusals.Key(fullName, assembly);
        if (registry.FindByName(key) is { } builtIn)
        {
            return builtIn;
        }

        if (options.TypeAliases.Find(fullName, assembly) is { } type)
        {
            return type;
        }

        // The root itself comes first: the program says which type it expects.
        Type asked = root.IsConstructedGenericType ? root.GetGenericTypeDefinition() : root;
        if (!root.HasElementType && TypeNames.GetDefinitionName(asked, options.TypeAliases) == key)
        {
            always = false;
            return asked;
        }

        return FindFurther(key, fullName, assembly, root, forwards, ref always);
    }

    // Every type other than the root itself, those that the library knows and those with an alias.
    private Type FindFurther(string key, string fullName, string? assembly, Type root, int forwards, ref bool always)
    {
        if (!_found.TryFind(key, root, out Type? type, out bool forAll))
        {
            forAll = true;
            type = LookFor(key, fullName, assembly, root, forwards, ref forAll);
            _found.Add(key, type, root, forAll);
        }

        always &= forAll;
        return type;
    }

    private Type LookFor(string key, string fullName, string? assembly, Type root, int forwards, ref bool always)
    {
        if (Declared(key, root, ref always) is not { } declared)
        {
            if (assembly is null && FrameworkTypes.FindHarmless(fullName) is { } harmless)
            {
                return harmless;
            }

            if (options.NamesCode
                && (CoreDelegate(fullName, assembly) ?? Closure(fullName, assembly, root, forwards, ref always)) is { } code)
            {
                return code;
            }

            declared = [];
        }
        else if (!IsGiven(key, declared))
        {
            return declared[0];
        }

        List<Type> candidates = [.. declared];
        bool isExpected = _ruled.Find(key, fullName, assembly, root, candidates, out TypeRefusedException? refused);
        if (Only(key, candidates) is { } found)
        {
            // A name that the program gives may be that of another type where another root reaches it. And if the root's context has no
            // such type, an assembly that is loaded there later may have one.
            always &= assembly is not null
                && AssemblyLoadContext.CurrentContextualReflectionContext is null
                && LoadContexts.OwnOf(found) == LoadContexts.OwnOf(root);
            return found;
        }

        if (refused is not null)
        {
            throw refused;
        }

        if (assembly is not null && FrameworkTypes.IsHome(assembly))
        {
            return Find(fullName, null, root, forwards, ref always);
        }

        if (assembly is not null && forwards > 0 && ProgramAssemblies.NewHomeOf(fullName, assembly) is { } now && now != assembly)
        {
            return Find(fullName, now, root, forwards - 1, ref always);
        }

        throw isExpected ? TypeRefusals.Missing(key)
            : assembly is not null && _ruled.AllowsByName(fullName, assembly) ? TypeRefusals.NotLoaded(key, assembly)
            : TypeRefusals.NotAllowed(fullName, assembly);
    }

    // The types of a name that the options or the root declare, the nearest first; null when there is none.
    private Type[]? Declared(string key, Type root, ref bool always)
    {
        // In another load context the same name may mean another type.
        bool isElsewhere = root.IsCollectible || LoadContexts.OwnOf(root) is not null;
        Type[]? named = _named.Value.GetValueOrDefault(key);
        if ((named is not null && !isElsewhere && !IsGiven(key, named)) || !Reach(root).TryGetValue(key, out Type[]? reached))
        {
            return named;
        }

        // For another root the name may mean another type.
        always = false;
        return named is null ? reached : isElsewhere ? [.. reached, .. named] : [.. named, .. reached];
    }

    // A name that the program gives to types has no assembly, and is not of .NET.
    private static bool IsGiven(string key, Type[] types) =>
        !key.Contains(',', StringComparison.Ordinal) && !FrameworkAssemblies.Contains(types[0].Assembly);

    // The one type of a name that payloads may have; null when there is none. Of several copies the nearest comes first.
    private Type? Only(string key, List<Type> types)
    {
        Type? only = types.Find(type => !_filter.IsDenied(type)) ?? types.FirstOrDefault();
        return only is not null && Other(only, types) is { } other ? throw TypeRefusals.Shared(key, only, other) : only;
    }

    private Type? Other(Type than, List<Type> types) => types.Find(type => !TypeNames.IsSame(type, than) && !_filter.IsDenied(type));
    private static IEnumerable<Type> NamedBy(SerializerOptions options) => options.TypeFilter.Types
        .Concat(options.KnownTypes.Values)
        .Concat(options.TypeAliases.Types)
        .Concat(options.Singletons.Select(instance => instance.GetType()))
        .Concat(options.Surrogates.SelectMany(s => new[] { s.SourceType, s.SurrogateType }));

    // Where delegates are allowed, .NET's delegate types are only named signatures.
    private static Type? CoreDelegate(string fullName, string? assembly) =>
        assembly is null && FrameworkTypes.Find(fullName) is { } type && type.IsSubclassOf(typeof(Delegate)) ? type : null;

    private static Type Definition(Type type) => type.IsConstructedGenericType ? type.GetGenericTypeDefinition() : type;

    // A lambda's closure class is allowed if the class of the lambda is.
    private Type? Closure(string fullName, string? assembly, Type root, int forwards, ref bool always)
    {
        int plus = fullName.LastIndexOf("+<>c", StringComparison.Ordinal);
        if (plus < 0)
        {
            return null;
        }

        Type around = Find(fullName[..plus], assembly, root, forwards, ref always);
        if (_filter.IsDenied(around))
        {
            throw TypeRefusals.Denied(TypeNames.GetDefinitionName(around, options.TypeAliases));
        }

        return around.GetNestedType(fullName[(plus + 1)..], BindingFlags.Public | BindingFlags.NonPublic) is { } type
            && type.IsClosure() ? type : null;
    }

    private Dictionary<string, Type[]> Reach(Type root) =>
        _reachable.GetOrAdd(root, static (asked, registry) => Reachable.From(registry, [asked]), registry);
}

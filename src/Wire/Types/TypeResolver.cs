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
    private readonly TypeMap<Dictionary<string, Type>> _reachable = new();
    private readonly FoundTypes _found = new();

    private readonly Lazy<Dictionary<string, Type>> _named = new(
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
    public IEnumerable<Type> DeclaredBy(Type root) => _named.Value.Values.Concat(Reach(root).Values);

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

        // In another load context the same name may mean another type.
        if ((root.IsCollectible || LoadContexts.OwnOf(root) is not null) && Reach(root).TryGetValue(key, out type))
        {
            always = false;
            return type;
        }

        if (_named.Value.TryGetValue(key, out type))
        {
            return type;
        }

        // The root itself comes first among its reachable types.
        if (!root.IsGenericType && !root.HasElementType && TypeNames.GetDefinitionName(root, options.TypeAliases) == key)
        {
            always = false;
            return root;
        }

        return FindFurther(key, fullName, assembly, root, forwards, ref always);
    }

    // Every type other than the root itself and those that the options name.
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
        if (Reach(root).TryGetValue(key, out Type? type))
        {
            // For another root the name may mean another type.
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

        if (Search(key, fullName, assembly, root, out bool isExpected) is { } found)
        {
            // If the root's context has no such type, an assembly that is loaded there later may have one.
            always &= AssemblyLoadContext.CurrentContextualReflectionContext is null
                && LoadContexts.OwnOf(found) == LoadContexts.OwnOf(root);
            return found;
        }

        if (assembly is not null && FrameworkTypes.IsHome(assembly))
        {
            return Find(fullName, null, root, forwards, ref always);
        }

        if (assembly is not null && forwards > 0 && ForwardOf(fullName, assembly) is { } now)
        {
            return Find(fullName, now, root, forwards - 1, ref always);
        }

        return isExpected
            ? ThrowHelper.Format<Type>(
                WireFormatError.TypeNotFound,
                $"The payload names the type '{key}', which is allowed, but which this program does not have. " +
                $"If it was renamed or moved, add SerializerOptions.TypeAliases.Redirect(\"{key}\", its new type).")
            : throw TypeRefusals.NotAllowed(fullName, assembly);
    }

    // Among the loaded assemblies, by the rules of the filter. A name without an assembly is a [WireName], or of .NET.
    private Type? Search(string key, string fullName, string? assembly, Type root, out bool isExpected)
    {
        isExpected = false;
        if (_filter.Allowing.IsEmpty)
        {
            return null;
        }

        foreach (Assembly candidate in LoadContexts.NearestFirst(AppDomain.CurrentDomain.GetAssemblies(), root))
        {
            AssemblyTypes place = AssemblyTypes.ForAssembly(candidate);
            if (assembly is not null && place.Name != assembly)
            {
                continue;
            }

            DefinedType? definition = place.Find(key);
            string name = definition?.FullName ?? fullName;
            if ((definition is null && assembly is null) || !_filter.Allowing.Any(rule => rule.Concerns(place, name, definition)))
            {
                continue;
            }

            if (definition is null)
            {
                isExpected = true;
            }
            else if (Accept(place, definition, key) is { } found && !(place.IsFramework && FrameworkTypes.HasNamesake(found)))
            {
                return found;
            }
        }

        return assembly is null && _filter.IsUnrestricted && FrameworkTypes.Find(fullName) is { } framework
            ? WithoutGadgets(framework, key)
            : null;
    }

    private static IEnumerable<Type> NamedBy(SerializerOptions options) => options.TypeFilter.Types
        .Concat(options.KnownTypes.Values)
        .Concat(options.TypeAliases.Types)
        .Concat(options.Singletons.Select(instance => instance.GetType()))
        .Concat(options.Surrogates.SelectMany(s => new[] { s.SourceType, s.SurrogateType }));

    private Type? Accept(AssemblyTypes place, DefinedType definition, string key)
    {
        if (_filter.Denying.Any(rule => rule.Concerns(place, definition.FullName, definition)))
        {
            throw TypeRefusals.Denied(key);
        }

        return definition.Load() is { } type
            && TypeNames.GetDefinitionName(type, options.TypeAliases) == key
            && _filter.Allowing.Any(rule => rule.Matches(type))
            ? WithoutGadgets(type, key)
            : null;
    }

    private Type WithoutGadgets(Type found, string key) =>
        Gadgets.Contains(found) && !(options.NamesCode && found.IsSubclassOf(typeof(Delegate))) ? throw TypeRefusals.Gadget(key) : found;

    // Where delegates are allowed, .NET's delegate types are only named signatures.
    private static Type? CoreDelegate(string fullName, string? assembly) =>
        assembly is null && FrameworkTypes.Find(fullName) is { } type && type.IsSubclassOf(typeof(Delegate)) ? type : null;

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

    // Finds a type that was moved out of an assembly that the program still has loaded. The filter checks the new location.
    private static string? ForwardOf(string fullName, string assembly) => AppDomain.CurrentDomain.GetAssemblies()
        .Where(place => !place.IsDynamic && AssemblyTypes.ForAssembly(place).Name == assembly)
        .Select(place => AssemblyMetadata.ForwardOf(place, fullName))
        .FirstOrDefault(target => target is not null);

    private Dictionary<string, Type> Reach(Type root) =>
        _reachable.GetOrAdd(root, static (asked, registry) => Reachable.From(registry, [asked]), registry);
}

using System.Collections.Frozen;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Metadata;
using System.Runtime.CompilerServices;
using Wire.Runtime;

namespace Wire.Resolution;

/// <summary>
/// Finds types of .NET by full name alone, because their assemblies change between releases. They are found through the metadata of loaded
/// assemblies, so a name that is not allowed makes the runtime load nothing.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Absent)]
internal static class FrameworkTypes
{
    private const string EnumBase = "System.Enum";
    private const string ExceptionBase = "System.Exception";

    // The runtime's placeholder for generic arguments that share code. Types constructed from it cannot be used.
    private const string Placeholder = "System.__Canon";

    // Deeper hierarchies mean a cycle in damaged metadata.
    private const int MaxBases = 64;

    private static readonly Assembly Core = typeof(object).Assembly;

    private static readonly FrozenSet<string> Homes = FrozenSet.Create(
        StringComparer.OrdinalIgnoreCase,
        "mscorlib",
        "netstandard",
        "System",
        "WindowsBase",
        "Microsoft.CSharp",
        "Microsoft.VisualBasic",
        "Microsoft.VisualBasic.Core",
        "Microsoft.Win32.Primitives",
        "Microsoft.Win32.Registry");

    // By assembly, so that assemblies loaded later are found too. An assembly never changes.
    private static readonly ConditionalWeakTable<Assembly, FrozenDictionary<string, Candidate>> Harmless = [];

    // The metadata is long, and a payload may name many types: it is read once.
    private static readonly ConditionalWeakTable<Assembly, HashSet<string>> Outermost = [];

    /// <summary>Returns whether .NET keeps, or once kept, types in assemblies of this name.</summary>
    public static bool IsHome(string assembly) =>
        assembly.StartsWith("System.", StringComparison.OrdinalIgnoreCase) || Homes.Contains(assembly);

    /// <summary>
    /// Finds an enum, an exception, or an interface of collections, which are allowed in every payload.
    /// </summary>
    public static Type? FindHarmless(string fullName)
    {
        if (Core.GetType(fullName) is { IsVisible: true } core)
        {
            return IsHarmless(core) ? core : null;
        }

        Assembly[] loaded = ProgramAssemblies.Loaded();
        return IsHarmless(fullName, loaded)
            ? Prefer(loaded.Where(place => Harmless.GetValue(place, Candidates).ContainsKey(fullName)), fullName, IsHarmless)
            : null;
    }

    /// <summary>Finds any type, for a filter that allows all of them.</summary>
    public static Type? Find(string fullName)
    {
        if (fullName == Placeholder)
        {
            return null;
        }

        string outermost = AssemblyMetadata.OutermostName(fullName);
        return Prefer(
            ProgramAssemblies.Loaded().Where(place => Outermost.GetValue(place, OutermostTypes).Contains(outermost)),
            fullName,
            _ => true);
    }

    /// <summary>
    /// Returns whether a .NET type is internal and shares its full name with another .NET type: the name, without an assembly, then means
    /// the public one, or none of several internal ones. Copies of one assembly are distinguished by their contexts.
    /// </summary>
    public static bool HasNamesake(Type type) =>
        !type.IsVisible && type.FullName is { } fullName
        && Further(ProgramAssemblies.Loaded()).Any(place => place != type.Assembly
            && FrameworkAssemblies.Contains(place)
            && Outermost.GetValue(place, OutermostTypes).Contains(AssemblyMetadata.OutermostName(fullName))
            && AssemblyIdentity.NameOf(place) != AssemblyIdentity.NameOf(type.Assembly)
            && Defined(place, fullName) is not null);

    // The metadata reader itself has types with shared names, and a reader loads it even if the writer has not.
    private static IEnumerable<Assembly> Further(Assembly[] loaded) => loaded.Append(typeof(TypeDefinitionHandle).Assembly).Distinct();

    private static HashSet<string> OutermostTypes(Assembly assembly) =>
        assembly.IsDynamic || !FrameworkAssemblies.Contains(assembly) ? [] : AssemblyMetadata.OutermostNames(assembly);

    // No value is of an interface, so that one is named as an argument only, as in List<IReadOnlyList<int>>.
    private static bool IsHarmless(Type type) => type.IsEnum
        || type == typeof(Exception)
        || type.IsSubclassOf(typeof(Exception))
        || (type.IsInterface && type.IsGenericTypeDefinition && type.Namespace == typeof(List<>).Namespace);

    // By metadata: loading the type would load the assemblies of its base types.
    private static bool IsHarmless(string fullName, Assembly[] loaded)
    {
        string? name = fullName;
        for (int i = 0; i < MaxBases && name is not null; i++)
        {
            name = loaded
                .Select(place => Harmless.GetValue(place, Candidates).GetValueOrDefault(name))
                .Where(candidate => candidate.Base is not null)
                .OrderByDescending(candidate => candidate.IsPublic)
                .FirstOrDefault().Base;
            if (name is EnumBase or ExceptionBase)
            {
                return true;
            }
        }

        return false;
    }

    // Two assemblies may have internal types of one name: the name means a public one, and is ambiguous among internal ones.
    private static Type? Prefer(IEnumerable<Assembly> assemblies, string fullName, Func<Type, bool> fits)
    {
        Type? found = null;
        bool isAmbiguous = false;
        foreach (Assembly assembly in assemblies)
        {
            if (Defined(assembly, fullName) is { } type && fits(type))
            {
                if (type.IsVisible)
                {
                    return type;
                }

                if (found is not null && AssemblyIdentity.NameOf(found.Assembly) != AssemblyIdentity.NameOf(assembly))
                {
                    isAmbiguous = true;
                }

                found ??= type;
            }
        }

        return isAmbiguous ? null : found;
    }

    private static Type? Defined(Assembly assembly, string fullName)
    {
        try
        {
            return assembly.GetType(fullName);
        }
        catch (Exception e) when (e is FileNotFoundException or FileLoadException or TypeLoadException or BadImageFormatException)
        {
            // A type that needs a missing assembly cannot be named by a payload either.
            return null;
        }
    }

    // By .NET's naming rule the name of an exception, and of its base, ends with the word.
    private static FrozenDictionary<string, Candidate> Candidates(Assembly assembly) =>
        (assembly.IsDynamic || !FrameworkAssemblies.Contains(assembly) ? null
            : !AssemblyMetadata.Has(assembly) ? ListedCandidates(assembly)
            : AssemblyMetadata.Read(assembly, 0, static (reader, _) =>
        {
            var candidates = new Dictionary<string, Candidate>();
            foreach (TypeDefinitionHandle handle in reader.TypeDefinitions)
            {
                TypeDefinition type = reader.GetTypeDefinition(handle);
                if (AssemblyMetadata.BaseName(reader, type) is { } parent
                    && (parent == EnumBase || parent.EndsWith("Exception", StringComparison.Ordinal)))
                {
                    bool isPublic =
                        (type.Attributes & TypeAttributes.VisibilityMask) is TypeAttributes.Public or TypeAttributes.NestedPublic;
                    candidates.TryAdd(AssemblyMetadata.FullName(reader, type), new Candidate(parent, isPublic));
                }
            }

            return candidates.ToFrozenDictionary();
        })) ?? FrozenDictionary<string, Candidate>.Empty;

    private static FrozenDictionary<string, Candidate> ListedCandidates(Assembly assembly) => AssemblyMetadata.Listed(assembly)
        .Where(type => type.BaseType?.FullName is { } parent
            && (parent == EnumBase || parent.EndsWith("Exception", StringComparison.Ordinal)))
        .ToFrozenDictionary(type => type.FullName!, type => new Candidate(type.BaseType!.FullName, type.IsVisible));

    private readonly record struct Candidate(string? Base, bool IsPublic);
}

using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.PortableExecutable;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Wire.Runtime;

namespace Wire.Resolution;

/// <summary>
/// The assemblies of the program: those that are loaded, and those that they refer to, directly or through others. The runtime loads these
/// when code first uses them, so which ones are loaded says nothing about the program; until then their files tell what they define.
/// Thread-safe.
/// </summary>
internal static class ProgramAssemblies
{
    // The files of the program and of .NET, by the simple names of the assemblies: the runtime takes them from its own list.
    private static readonly Lazy<Dictionary<string, string>> Paths = new(() =>
    {
        var paths = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        string list = AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES") as string ?? "";
        foreach (string path in list.Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries))
        {
            paths.TryAdd(Path.GetFileNameWithoutExtension(path), path);
        }

        return paths;
    });

    private static readonly ConcurrentDictionary<string, AssemblyTypes?> Files = new(StringComparer.OrdinalIgnoreCase);

    private static Waiting? _waiting;

    /// <summary>Gets the assemblies that are loaded, of which some may have no types.</summary>
    public static Assembly[] Loaded() =>
        RuntimeFeature.IsDynamicCodeSupported ? AppDomain.CurrentDomain.GetAssemblies() : Compiled.All;

    /// <summary>Gets all of them.</summary>
    public static AssemblyTypes[] All()
    {
        Assembly[] loaded = Loaded();
        return [.. loaded.Select(AssemblyTypes.ForAssembly), .. NotLoaded(loaded)];
    }

    /// <summary>Gets all of them, those of the root's load context first and those that are not loaded last.</summary>
    public static IEnumerable<AssemblyTypes> NearestFirst(Type root)
    {
        Assembly[] loaded = Loaded();
        return LoadContexts.NearestFirst(loaded, root).Select(AssemblyTypes.ForAssembly).Concat(NotLoaded(loaded));
    }

    /// <summary>The simple name of the assembly that has a type now; null when nothing in the program says that it was moved.</summary>
    /// <param name="fullName">The type's own name.</param>
    /// <param name="former">
    /// The simple name of the assembly that used to define it. That need not be one that the program refers to: a compiler refers to the
    /// new one, and a former one that is deployed with the program says where that is.
    /// </param>
    public static string? NewHomeOf(string fullName, string former)
    {
        AssemblyTypes[] all = Array.FindAll(All(), place => !place.IsDynamic);
        IEnumerable<AssemblyTypes> named = all.Where(place => place.Name == former);
        return named.Append(File(former)).OfType<AssemblyTypes>()
                .Select(place => AssemblyMetadata.ForwardOf(place, fullName))
                .FirstOrDefault(target => target is not null)
            ?? Array.Find(all, place => place.HasFrom(fullName, former))?.Name;
    }

    private static AssemblyTypes[] NotLoaded(Assembly[] loaded)
    {
        if (_waiting is { } known && known.Loaded == loaded.Length)
        {
            return known.Places;
        }

        var names = new HashSet<string>(loaded.Select(each => AssemblyTypes.ForAssembly(each).Name), StringComparer.OrdinalIgnoreCase);
        var open = new Queue<AssemblyTypes>(loaded
            .Where(each => !each.IsDynamic && AssemblyLoadContext.GetLoadContext(each) == AssemblyLoadContext.Default)
            .Select(AssemblyTypes.ForAssembly)
            .Where(place => !place.IsFramework));
        var places = new List<AssemblyTypes>();
        while (open.TryDequeue(out AssemblyTypes? next))
        {
            foreach (string name in next.References)
            {
                if (names.Add(name) && File(name) is { } place)
                {
                    places.Add(place);
                    open.Enqueue(place);
                }
            }
        }

        return (_waiting = new Waiting(loaded.Length, [.. places])).Places;
    }

    // Null when the program has no file of that name, as in a single file, where assemblies are found only when they are loaded.
    private static AssemblyTypes? File(string name) => Paths.Value.TryGetValue(name, out string? path)
        ? Files.GetOrAdd(name, static (asked, path) => Open(asked, path), path)
        : null;

    [SuppressMessage("Reliability", "CA2000", Justification = "The metadata stays in use as long as the process.")]
    private static AssemblyTypes? Open(string name, string path)
    {
        try
        {
            var file = new PEReader(System.IO.File.OpenRead(path), PEStreamOptions.PrefetchMetadata);
            if (file.HasMetadata)
            {
                return new AssemblyTypes(name, file);
            }

            // It is not one of .NET's.
            file.Dispose();
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or BadImageFormatException)
        {
            // A list may name files that are not there. What cannot be read cannot be loaded either, and has no types.
            return null;
        }
    }

    // The number of loaded assemblies only grows, but for unloading, after which others are there.
    private sealed record Waiting(int Loaded, AssemblyTypes[] Places);

    // All that native code will ever have.
    private static class Compiled
    {
        public static readonly Assembly[] All = Array.FindAll(AppDomain.CurrentDomain.GetAssemblies(), AssemblyIdentity.HasName);
    }
}

using System.Reflection;
using System.Runtime.InteropServices;
using System.Runtime.Loader;
using Wire.Tool.Running;

namespace Wire.Tool.Contracting;

/// <summary>
/// Loads an assembly of the user's with what is beside it. .NET and the serializer are those of the tool, so that both mean the same types.
/// </summary>
/// <param name="path">The full path of the assembly.</param>
internal sealed class UserContext(string path) : AssemblyLoadContext(Path.GetFileName(path))
{
    private static readonly Assembly Serializer = typeof(Serializer).Assembly;
    private static readonly Assembly[] Own = [Serializer, typeof(WireContract).Assembly];
    private static readonly string Runtime = RuntimeEnvironment.GetRuntimeDirectory();

    private readonly AssemblyDependencyResolver _resolver = new(path);

    /// <summary>Gets the path of the serializer that the assembly comes with; null where there is none.</summary>
    public string? PathOfWire => _resolver.ResolveAssemblyToPath(new AssemblyName(Serializer.GetName().Name!));

    /// <summary>Loads the assembly.</summary>
    public Assembly Load() => LoadFromAssemblyPath(path);

    /// <inheritdoc/>
    protected override Assembly? Load(AssemblyName assemblyName)
    {
        if (Array.Find(Own, assembly => assembly.GetName().Name == assemblyName.Name) is { } own)
        {
            return IsCompatible(assemblyName.Version) ? own : throw new ToolException(
                $"{PlainText.Show(path)}: It was built with Wire {assemblyName.Version}, and the tool has {Serializer.GetName().Version}: "
                    + "install the tool of that version.",
                ExitCodes.Usage);
        }

        if (HasRuntime(assemblyName))
        {
            return null;
        }

        string? file = _resolver.ResolveAssemblyToPath(assemblyName) ?? FindInFrameworks(assemblyName);
        return file is null ? null : LoadFromAssemblyPath(file);
    }

    // Of one major version, and not older.
    private static bool IsCompatible(Version? asked) => Serializer.GetName().Version is { } own
        && (asked is null || (asked.Major == own.Major && asked <= own));

    // A program that carries .NET with it has another copy.
    private static bool HasRuntime(AssemblyName name)
    {
        string file = Path.Combine(Runtime, $"{name.Name}.dll");
        return File.Exists(file) && (name.Version is null || AssemblyName.GetAssemblyName(file).Version >= name.Version);
    }

    // Those beside .NET itself, as ASP.NET Core: of the same release, or the newest of its version.
    private static string? FindInFrameworks(AssemblyName name)
    {
        DirectoryInfo runtime = new(Path.TrimEndingDirectorySeparator(Runtime));
        return runtime.Parent?.Parent is { Exists: true } shared
            ? shared.EnumerateDirectories()
                .SelectMany(framework => framework.EnumerateDirectories($"{Environment.Version.Major}.*"))
                .OrderByDescending(version => version.Name == runtime.Name)
                .ThenByDescending(version => Version.TryParse(version.Name, out Version? number) ? number : null)
                .Select(version => Path.Combine(version.FullName, $"{name.Name}.dll"))
                .FirstOrDefault(File.Exists)
            : null;
    }
}

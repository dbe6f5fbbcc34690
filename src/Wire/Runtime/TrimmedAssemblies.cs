using System.Reflection;

namespace Wire.Runtime;

/// <summary>
/// The assemblies of which the trimmer may have removed members, as the build of the program tells: a member that nothing but a serializer
/// uses is removed without a trace, and would be missing in payloads without an error.
/// </summary>
internal static class TrimmedAssemblies
{
    // What the package's WireSerializer.targets writes into the program's runtimeconfig.json.
    private const string ModeKey = "Wire.Trimming.Mode";
    private const string KeptKey = "Wire.Trimming.Kept";
    private const char Separator = ';';

    /// <summary>Returns the reason why a type of the program cannot be written member by member; null when it is whole.</summary>
    public static string? RefusalOf(Type type) => AppContext.GetData(ModeKey) is string mode ? RefusalOf(type, mode) : null;

    private static string? RefusalOf(Type type, string mode)
    {
        if (type.Nearest(current => IsTrimmed(current.Assembly, mode)) is not { } trimmed)
        {
            return null;
        }

        string? name = trimmed.Assembly.GetName().Name;
        string whose = trimmed == type ? "it" : $"it derives from {trimmed}, which";
        return $"{whose} belongs to the assembly {name}, which is trimmed, so that members of it may be missing. " +
            $"Add <TrimmerRootAssembly Include=\"{name}\" /> to the project file of the program: it keeps the assembly whole. " +
            $"Or keep the members by a descriptor of your own, and add <WireKeptAssembly Include=\"{name}\" />.";
    }

    private static bool IsTrimmed(Assembly assembly, string mode) =>
        !assembly.IsDynamic
        && !FrameworkAssemblies.Contains(assembly)
        && (mode != "partial" || IsTrimmable(assembly))
        && !Kept().Contains(assembly.GetName().Name, StringComparer.OrdinalIgnoreCase);

    private static string[] Kept() => AppContext.GetData(KeptKey) is string kept ? kept.Split(Separator) : [];

    // What the trimmer itself goes by.
    private static bool IsTrimmable(Assembly assembly) =>
        assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Any(
            data => data.Key == "IsTrimmable" && string.Equals(data.Value, "true", StringComparison.OrdinalIgnoreCase));
}

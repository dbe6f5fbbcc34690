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

    // They keep themselves, by a descriptor inside.
    private static readonly string[] Whole = ["Wire", "Wire.FSharp"];

    /// <summary>
    /// Gets whether there are any, and this library is one: the trimmer and the compiler of native code change this, as
    /// ILLink.Substitutions.xml tells them.
    /// </summary>
    public static bool Exist => false;

    /// <summary>Gets whether there may be any.</summary>
    public static bool MayExist => AppContext.GetData(ModeKey) is string || Exist;

    /// <summary>Returns the reason why a type of the program cannot be written member by member; null when it is whole.</summary>
    public static string? RefusalOf(Type type) => MayExist ? RefusalOf(type, AppContext.GetData(ModeKey) as string) : null;

    /// <summary>Returns the reason why a type of .NET whose fields are hidden cannot be written.</summary>
    public static string HiddenFields(Type type) =>
        $"it is written by its fields, which this native program hides from reflection. Add <TrimmerRootAssembly Include=\"" +
            $"{type.Assembly.GetName().Name}\" /> to the project file of the program.";

    private static string? RefusalOf(Type type, string? mode)
    {
        // Arrays and enums are not written by their fields.
        if (type.IsArray || type.IsEnum || type.Nearest(current => IsTrimmed(current.Assembly, mode)) is not { } trimmed)
        {
            return null;
        }

        string? name = trimmed.Assembly.GetName().Name;
        string whose = trimmed == type ? "it" : $"it derives from {trimmed}, which";
        return $"{whose} belongs to the assembly {name}, which is trimmed, so that members of it may be missing. " + (mode is null
            ? "The build has not told which assemblies are whole: let the project of the program refer to the package WireSerializer, or " +
                "import the WireSerializer.targets that is in it, which keep and tell that."
            : $"Add <TrimmerRootAssembly Include=\"{name}\" /> to the project file of the program: it keeps the assembly whole. " +
                $"Or keep the members by a descriptor of your own, and add <WireKeptAssembly Include=\"{name}\" />.");
    }

    // Without a mode, the build has told nothing.
    private static bool IsTrimmed(Assembly assembly, string? mode) =>
        !assembly.IsDynamic
        && !FrameworkAssemblies.Contains(assembly)
        && (mode != "partial" || IsTrimmable(assembly))
        && !Kept().Contains(assembly.GetName().Name, StringComparer.OrdinalIgnoreCase);

    private static string[] Kept() => AppContext.GetData(KeptKey) is string kept ? kept.Split(Separator) : Whole;

    // What the trimmer itself goes by.
    private static bool IsTrimmable(Assembly assembly) =>
        assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Any(
            data => data.Key == "IsTrimmable" && string.Equals(data.Value, "true", StringComparison.OrdinalIgnoreCase));
}

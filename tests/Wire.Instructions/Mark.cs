using System.Runtime.InteropServices;

namespace Wire.Instructions;

/// <summary>
/// Ends a stretch of what is counted: a native function that nothing else here calls, and before each call of which callgrind writes
/// down what it has counted since the last.
/// </summary>
internal static partial class Mark
{
    public const string Function = "getppid";

    public static void Set() => _ = GetParent();

    [LibraryImport("libc", EntryPoint = Function)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int GetParent();
}

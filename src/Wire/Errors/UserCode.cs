using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Wire.Runtime;

namespace Wire.Errors;

/// <summary>Tells what the user's code has thrown from what .NET has.</summary>
/// <remarks>
/// What a collection of .NET throws is the fault of the bytes; what the code that it calls throws is the program's own, and reaches the
/// caller as it is. Constructors for <see cref="System.Runtime.Serialization.ISerializable"/> and the classes of <see
/// cref="ValueSerializerFactory.ForCollection"/> are not asked about: what they throw is the fault of the bytes by rule.
/// </remarks>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
internal static class UserCode
{
    // They stand on what is internal to this library.
    private static readonly string[] Libraries = ["Wire.FSharp", CallerTrace.Inspection, "Wire.Migration"];

    /// <summary>
    /// Returns whether an exception was thrown by, or on behalf of, a method that is neither .NET's nor Wire's: one of those between where
    /// it was thrown and where it is caught. A method that the runtime has put inline into one of .NET's is not seen. What the runtime
    /// itself raises is not user code's: it results from the payload's values in a key or comparer.
    /// </summary>
    public static bool Threw(Exception exception) =>
        exception is not (NullReferenceException or ArithmeticException or IndexOutOfRangeException or InvalidCastException)
            && IsBehind(exception);

    /// <summary>Returns whether there is such a method, whatever was thrown.</summary>
    public static bool IsBehind(Exception exception) =>
        Array.Exists(new StackTrace(exception, fNeedFileInfo: false).GetFrames(), IsUsers);

    private static bool IsUsers(StackFrame frame) =>
        frame.GetMethod()?.Module.Assembly is { } assembly
        && assembly != typeof(UserCode).Assembly
        && !FrameworkAssemblies.Contains(assembly)
        && !Libraries.Contains(assembly.GetName().Name);
}

using System.Diagnostics;

namespace Wire.Runtime;

/// <summary>
/// The stack trace of an error of Wire as its caller needs it: without the frames inside Wire, which the error's place in the graph and in
/// the bytes makes up for. <see cref="StackTrace(Exception, bool)"/> still has them all.
/// </summary>
internal static class CallerTrace
{
    /// <summary>The name of the other assembly of the package.</summary>
    public const string Inspection = "Wire.Inspection";

    private static readonly string Own = typeof(CallerTrace).Assembly.FullName!;

    private static readonly string InspectionFullName = Own.Replace("Wire,", Inspection + ",", StringComparison.Ordinal);

    /// <summary>Returns the text without the frames that Wire called itself.</summary>
    /// <param name="exception">The exception.</param>
    /// <param name="whole">Its whole stack trace; null when it has not been thrown.</param>
    public static string? Of(Exception exception, string? whole)
    {
        StackFrame[] frames = new StackTrace(exception, fNeedFileInfo: true).GetFrames();
        string all = new StackTrace(frames).ToString().TrimEnd();
        // What an exception that was read has kept of another program stands in front.
        if (frames.Length == 0 || whole is null || !whole.EndsWith(all, StringComparison.Ordinal))
        {
            return whole;
        }

        var shown = new List<StackFrame>(frames.Length);
        bool isCalledByWire = false;
        for (int i = frames.Length - 1; i >= 0; i--)
        {
            bool? isOwn = IsOwn(frames[i]);
            if (!isCalledByWire || isOwn == false)
            {
                shown.Insert(0, frames[i]);
            }

            // Code of .NET and emitted code belong to who calls them.
            isCalledByWire = isOwn ?? isCalledByWire;
        }

        return whole[..^all.Length] + new StackTrace(shown).ToString().TrimEnd();
    }

    // Null of code of .NET, and where that is not known: of emitted code, and where the names of methods have been trimmed.
    private static bool? IsOwn(StackFrame frame) =>
        DiagnosticMethodInfo.Create(frame) is not { DeclaringTypeName.Length: > 0 } method
            || method.DeclaringAssemblyName.StartsWith("System.", StringComparison.Ordinal)
            ? null
            : method.DeclaringAssemblyName == Own || method.DeclaringAssemblyName == InspectionFullName;
}

using Microsoft.CodeAnalysis;
using Wire.Analyzers.Symbols;

namespace Wire.Analyzers.Messages;

/// <summary>
/// The types that Wire writes with no options, or with one that the program does not set. What an abstract class or an interface holds is
/// known when it is written: of these there are only those that stand for nothing else.
/// </summary>
/// <param name="options">What the program sets.</param>
internal sealed class RefusedTypes(UsedOptions options)
{
    private const string Work = "it is work in progress, tied to its process.";
    private const string AwaitIt = "Await it, and write the result.";
    private const string Tied = "it is tied to its process: a copy would be useless.";
    private const string Part = "Write what a reader needs of it, as a type of your own.";
    private const string Code = "it is code, or leads to code, and a payload must not choose code.";
    private const string LeaveOut = "Leave it out, with [IgnoreMember].";

    // Base classes of objects that are bound to their process, and namespaces with only such types.
    private static readonly HashSet<string> LivingBases =
    [
        "System.IO.Stream", "System.IO.TextReader", "System.IO.TextWriter", "System.IO.BinaryReader", "System.IO.BinaryWriter",
        "System.IO.FileSystemWatcher", "System.Runtime.InteropServices.SafeHandle", "System.Diagnostics.Process",
        "System.Data.Common.DbConnection", "System.Data.Common.DbTransaction", "System.Threading.WaitHandle",
    ];

    private static readonly HashSet<string> LivingSpaces =
    [
        "System.Threading", "System.Threading.Tasks", "System.Threading.Channels", "System.Threading.RateLimiting", "System.Timers",
        "System.Net.Sockets", "System.Net.Http", "System.IO.Pipes", "System.IO.Pipelines", "System.IO.MemoryMappedFiles",
    ];

    // Of those, what Wire writes all the same.
    private static readonly HashSet<string> Written =
    [
        "System.IO.MemoryStream", "System.Threading.CancellationToken", "System.Net.Http.HttpMethod",
    ];

    // Those whose private state a class of the program inherits.
    private static readonly HashSet<string> WithState =
    [
        "System.IO.Stream", "System.Threading.Tasks.Task", "System.Threading.WaitHandle", "System.Runtime.InteropServices.SafeHandle",
        "System.Net.Http.HttpClient",
    ];

    /// <summary>Returns why a value of a type is always refused, and what to do; null where it may be written.</summary>
    public (string Reason, string Remedy)? Find(ITypeSymbol type)
    {
        if (type is IPointerTypeSymbol or IFunctionPointerTypeSymbol)
        {
            return ("a pointer has no meaning outside its process.", LeaveOut);
        }

        if (type is not INamedTypeSymbol named || type.TypeKind is TypeKind.Enum or TypeKind.Interface)
        {
            return null;
        }

        if (type.TypeKind == TypeKind.Delegate)
        {
            return options.WritesDelegates ? null : (Code, LeaveOut);
        }

        return type.IsRefLikeType ? ("it lives on the stack of one call.", LeaveOut)
            : IsOneOf(named, "System.Exception") ? null
            : OfFramework(named);
    }

    private (string Reason, string Remedy)? OfFramework(INamedTypeSymbol type)
    {
        ITypeSymbol? nearest = type.AndBases().FirstOrDefault(each => each.IsOfFramework());
        if (nearest is null)
        {
            return null;
        }

        bool isOwn = !SymbolEqualityComparer.Default.Equals(nearest, type);
        if (type.AndBases().Any(each => Written.Contains(each.FullName())))
        {
            return null;
        }

        if (isOwn)
        {
            return type.AndBases().Any(each => WithState.Contains(each.FullName()))
                ? ($"it derives from {nearest.Shown()}, which is tied to its process: a copy would be useless.", Part)
                : null;
        }

        return IsOneOf(type, "System.Threading.Tasks.Task") || type.FullName() == "System.Threading.Tasks.ValueTask" ? (Work, AwaitIt)
            : type.FullName() == "System.Type" || IsOneOf(type, "System.Type") ? null
            : IsOneOf(type, "System.Reflection.MemberInfo", "System.Reflection.ParameterInfo")
                ? options.WritesMemberInfos ? null : (Code, LeaveOut)
            : IsOneOf(type, "System.Linq.Expressions.Expression") ? options.WritesExpressions ? null : (Code, LeaveOut)
            : IsOneOf(type, "System.Reflection.Assembly", "System.Reflection.Module") ? (Code, "Write its name instead.")
            : IsOneOf(type, "System.Net.NetworkCredential", "System.Security.SecureString")
                ? ("it holds a secret, which does not belong in a payload that others may read or keep.", Part)
            : type.FullName() == "System.IO.Stream" ? (Tied + " Only a MemoryStream is written.", "Declare it as that, or leave it out.")
            : type.AndBases().Any(each => LivingBases.Contains(each.FullName())) ? (Tied, Part)
            : !type.IsAbstract && type.AndBases().Any(each => LivingSpaces.Contains(each.NamespaceName())) ? (Tied, Part)
            : null;
    }

    private static bool IsOneOf(ITypeSymbol type, params string[] bases) =>
        type.AndBases().Any(each => Array.IndexOf(bases, each.FullName()) >= 0);
}

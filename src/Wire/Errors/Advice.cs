using Wire.Runtime;

namespace Wire.Errors;

/// <summary>
/// The advice in errors for types and members that cannot be written or read, by kind of type.
/// </summary>
internal static class Advice
{
    private const string AfterReading =
        "after reading, until a method with [OnDeserialized] sets it, for which SerializerOptions.UseSerializationCallbacks must be on.";

    // Base classes of objects that are bound to their process, and namespaces with only such types.
    private static readonly string[] LivingBases =
    [
        "System.IO.Stream", "System.IO.TextReader", "System.IO.TextWriter", "System.IO.BinaryReader", "System.IO.BinaryWriter",
        "System.IO.FileSystemWatcher", "System.Runtime.InteropServices.SafeHandle", "System.Diagnostics.Process",
        "System.Data.Common.DbConnection", "System.Data.Common.DbTransaction",
    ];

    private static readonly string[] LivingSpaces =
    [
        "System.Threading", "System.Threading.Tasks", "System.Threading.Channels", "System.Threading.RateLimiting", "System.Timers",
        "System.Net.Sockets", "System.Net.Http", "System.IO.Pipes", "System.IO.Pipelines", "System.IO.MemoryMappedFiles",
    ];

    private static readonly string[] Secrets = ["System.Net.NetworkCredential", "System.Security.SecureString"];

    // The types of FrameworkSurrogates, by name: to ask for them would load them.
    private static readonly string[] Ready =
    [
        "System.Data.DataTable", "System.Data.DataSet", "System.Xml.XmlDocument", "System.Xml.XmlQualifiedName",
        "System.Security.Cryptography.X509Certificates.X509Certificate2", "System.Security.Cryptography.Oid",
        "System.Security.Claims.Claim", "System.Security.Claims.ClaimsIdentity", "System.Security.Claims.ClaimsPrincipal",
        "System.Security.Principal.GenericIdentity", "System.Security.Principal.GenericPrincipal", "System.Net.CookieCollection",
        "System.Net.CookieContainer", "System.ComponentModel.PropertyChangedEventArgs",
        "System.ComponentModel.PropertyChangingEventArgs", "System.IO.FileInfo", "System.IO.DirectoryInfo",
        "System.Net.Http.Headers.MediaTypeHeaderValue",
    ];

    // The kinds of .NET types without a value serializer; the first match applies.
    private static readonly (Func<Type, bool> Is, Func<Type, string> Says)[] OfFrameworkKinds =
    [
        (TypeRelations.IsImmutableBuilder,
            _ => "it is the builder of an immutable collection. Call its ToImmutable() and write the result."),
        (type => type.Nearest(current => current.FullName == "System.Threading.Tasks.Task") is not null
                || type.Namespace == "System.Threading.Tasks" && type.Name.StartsWith("ValueTask", StringComparison.Ordinal),
            type => $"it is work in progress, tied to its process. Await it, and write the result. {OrLeaveOut(type)}"),
        (type => type.Nearest(current => current.FullName == "System.Linq.EnumerableQuery") is not null,
            _ => "it is a query, which makes its items when it is asked for them. Collect them in a list, with ToList(), and write that."),
        (IsLiving,
            type => $"it is tied to its process, like locks, streams, timers and tasks: a copy would be useless. {WritePart(type)}"),
        (type => type.FullName == "System.Collections.ArrayList+Range",
            _ => "it is a part of another list, which GetRange made, and is valid until that list changes. Write a list of its own: "
                + "new ArrayList(range)."),
        (type => Secrets.Contains(type.FullName),
            type => $"it holds a secret, which does not belong in a payload that others may read or keep. {WritePart(type)}"),
        (type => Ready.Contains(type.FullName),
            type => $"it belongs to .NET, and Wire has no value serializer that knows its rules. Set SerializerOptions.Surrogates = "
                + $"[.. FrameworkSurrogates.All], on both sides, or add a surrogate of your own. {OrLeaveOut(type)}"),
        (_ => true,
            type => $"it belongs to .NET, and Wire has no value serializer that knows its rules. {Replace(type)}"),
    ];

    /// <summary>Returns advice for a member whose new type cannot be read from older payloads.</summary>
    public const string ChangedMember =
        "Where a member has changed its type, give it the old type again and add another member for the new one; "
        + "[WireName] says which of the two has the old name in payloads.";

    /// <summary>Returns the reason why an object is refused that the compiler made of an async method.</summary>
    public const string ForAsyncIterator =
        "it is an async iterator, which makes its items while it runs. Collect them in a list, for example by await foreach, and "
        + "write that.";

    /// <summary>Returns the reason why an async sequence is refused where its elements cannot follow the value.</summary>
    public const string ForAsyncSequence =
        "it gives its elements while it runs, and they follow the value: write that with SerializeAsync. Inside of an element of another "
        + "sequence, in a copy and without an await, collect them in a list, for example by await foreach, and write that.";

    /// <summary>Returns whether a type of .NET, by its full name, holds a secret: no rule of a filter makes it one that is read.</summary>
    public static bool IsSecret(string fullName) => Secrets.Contains(fullName);

    /// <summary>Returns the reason why a type of .NET is refused, and what to do.</summary>
    public static string ForFramework(Type type) => Array.Find(OfFrameworkKinds, kind => kind.Is(type)).Says(type);

    /// <summary>Returns the reason why a class that derives from one of .NET is refused, and what to do.</summary>
    public static string ForDerived(Type type, Type from) => IsLiving(from)
        ? $"it derives from {from}, which is tied to its process: a copy would be useless. {WritePart(type)}"
        : $"it derives from {from}, whose private state Wire does not touch. {Replace(type)}";

    /// <summary>Returns the reason why code is refused, and the precautions before allowing it.</summary>
    /// <param name="type">The type of the group.</param>
    /// <param name="option">The option.</param>
    public static string ForCode(Type type, string option) =>
        $"it is code, or leads to code, and a payload must not choose code. {LeaveOut(type)} "
        + $"Set SerializerOptions.{option}, on both sides, only if everyone who can send payloads may choose what the program runs.";

    /// <summary>Returns the reason why a pointer is refused, and what to do.</summary>
    public static string ForPointer(Type type) => $"a pointer or reference has no meaning outside its process. {LeaveOut(type)}";

    /// <summary>Returns advice on writing objects of a type in another form, or leaving them out.</summary>
    public static string Replace(Type type) => $"Give it a surrogate, in SerializerOptions.Surrogates, or a ValueSerializer, on both "
        + $"sides. {OrLeaveOut(type)}";

    private static string WritePart(Type type) => $"Write what a reader needs of it, as a type of your own. {OrLeaveOut(type)}";

    private static string OrLeaveOut(Type type) => $"Or leave out {LeftOut(type)}";

    private static string LeaveOut(Type type) => $"Leave out {LeftOut(type)}";

    private static string LeftOut(Type type)
    {
        string how = typeof(Delegate).IsAssignableFrom(type)
            ? "[IgnoreMember], or [field: NonSerialized] on an event, or all members of delegate types with SerializerOptions."
                + nameof(SerializerOptions.IgnoreDelegateMembers)
            : "[IgnoreMember]";
        string what = type.IsValueType || type.IsPointer ? "has its default value" : "is null";
        return $"a member that holds it, with {how}: it {what} {AfterReading}";
    }

    private static bool IsLiving(Type type) =>
        type.Nearest(current => LivingSpaces.Contains(current.Namespace) || LivingBases.Contains(current.FullName)) is not null;
}

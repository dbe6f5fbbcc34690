using Microsoft.CodeAnalysis;

namespace Wire.Generator.Diagnostics;

/// <summary>Describes all that the generator reports: each has a section in docs/generator.md.</summary>
internal static class Descriptors
{
    // In the repository, and in the package beside it.
    private const string Page = "docs/generator.md#";

    public static readonly DiagnosticDescriptor Context = Make(
        "WIRE001",
        "The class of a context cannot be completed",
        "'{0}' has [WireContext], and {1}",
        DiagnosticSeverity.Error);

    public static readonly DiagnosticDescriptor NoName = Make(
        "WIRE002",
        "A struct or enum in messages has no name that the context can use",
        "{0} is of '{1}', which code of the context cannot name, and a native program needs a row for it: make it internal, or public",
        DiagnosticSeverity.Error);

    public static readonly DiagnosticDescriptor Open = Make(
        "WIRE003",
        "A generic type has no arguments",
        "'{0}' has no type arguments, and no object has such a type: name it with each of its arguments, such as '{1}'",
        DiagnosticSeverity.Error);

    public static readonly DiagnosticDescriptor Growing = Make(
        "WIRE004",
        "A generic type holds ever larger types",
        "{0} is of a type with more than {1} generic types in each other: from there on no row is made. Leave out the member, with "
            + "[IgnoreMember], or use a surrogate for the type that has it.",
        DiagnosticSeverity.Warning);

    public static readonly DiagnosticDescriptor NoValue = Make(
        "WIRE005",
        "A member is of a type that no message holds",
        "{0} is of '{1}', and {2}: leave out the member, with [IgnoreMember]",
        DiagnosticSeverity.Warning);

    public static readonly DiagnosticDescriptor NoContext = Make(
        "WIRE006",
        "A type is of a project without a context",
        "{0} is of '{1}', of the project {2}, whose private fields this compilation cannot see: give that project a context of its own, "
            + "with [WireType(typeof({1}))]",
        DiagnosticSeverity.Error);

    public static readonly DiagnosticDescriptor Foreign = Make(
        "WIRE007",
        "A type of a library is read by reflection",
        "{0} is of '{1}', of the assembly {2}, whose private fields this compilation cannot see: it has a row, and rows that its "
            + "members need have to be named by [WireType]",
        DiagnosticSeverity.Info);

    public static readonly DiagnosticDescriptor Hidden = Make(
        "WIRE008",
        "A table of another assembly is left out",
        "The assembly {1} has '{0}' as a table of its types, which this one cannot use: make it public, with a public static property "
            + "'Default'",
        DiagnosticSeverity.Warning);

    public static readonly DiagnosticDescriptor OpenDerived = Make(
        "WIRE009",
        "A generic class derives from a type whose derived types are named",
        "'{0}' derives from '{1}' and is generic: name it with each of its arguments, by [WireType]",
        DiagnosticSeverity.Info);

    /// <summary>Gets that of a call, found by <see cref="ContextAnalyzer"/>.</summary>
    public static readonly DiagnosticDescriptor Uncovered = Make(
        "WIRE010",
        "A message of a native program is in no context",
        "{0} is given '{1}', which is in no context, and a native program needs {2}: {3}",
        DiagnosticSeverity.Error,
        WellKnownDiagnosticTags.CompilationEnd);

    private static DiagnosticDescriptor Make(
        string id, string title, string message, DiagnosticSeverity severity, params string[] tags) => new(
        id,
        title,
        message,
        "Wire",
        severity,
        isEnabledByDefault: true,
        helpLinkUri: Page + id.ToLowerInvariant(),
        customTags: tags);
}

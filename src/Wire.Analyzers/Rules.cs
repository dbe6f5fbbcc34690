using Microsoft.CodeAnalysis;

namespace Wire.Analyzers;

/// <summary>The rules, in the order of their numbers. docs/analyzers.md has a section for each.</summary>
internal static class Rules
{
    public static readonly DiagnosticDescriptor MemberNeverWritten = new(
        "WIRE101",
        "A member of a message can never be written",
        "'{0}' can never be written: {1} {2} Wire meets it by {3}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire101",
        customTags: AtTheEnd);

    public static readonly DiagnosticDescriptor ValueNeverWritten = new(
        "WIRE102",
        "A value that can never be written is given to Wire",
        "{0} is given a '{1}', which can never be written: {2} {3}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire102",
        customTags: AtTheEnd);

    public static readonly DiagnosticDescriptor MembersOfOneName = new(
        "WIRE103",
        "Two members have one name in payloads",
        "'{0}' and '{1}' both have the name '{2}' in payloads, so that no '{3}' can be written. Give each a name of its own.",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire103");

    public static readonly DiagnosticDescriptor TypesOfOneName = new(
        "WIRE104",
        "Two types have one name in payloads",
        "'{0}' and '{1}' both have the name '{2}' in payloads, which are refused where either may stand. Give each a name of its own.",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire104",
        customTags: AtTheEnd);

    public static readonly DiagnosticDescriptor InvalidName = new(
        "WIRE105",
        "A name is none that a payload can have",
        "The name '{0}' {1}. Give another one.",
        Category,
        DiagnosticSeverity.Error,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire105");

    public static readonly DiagnosticDescriptor Overlap = new(
        "WIRE106",
        "Members of a message lie over each other in memory",
        "'{0}' and '{1}' lie over each other in memory, and {2}. Wire meets them by {3}. Leave out one of them, with [IgnoreMember], "
            + "or use a surrogate for the type.",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire106",
        customTags: AtTheEnd);

    public static readonly DiagnosticDescriptor CapturedParameter = new(
        "WIRE107",
        "A message keeps a parameter of its constructor",
        "The parameter '{0}' of '{1}' is used after construction, so that the compiler keeps it in a field, and payloads have "
            + "it as '<{0}>P'. Declare a property or field for it.",
        Category,
        DiagnosticSeverity.Info,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire107",
        customTags: AtTheEnd);

    public static readonly DiagnosticDescriptor SerializerPerCall = new(
        "WIRE108",
        "A serializer is made for each call",
        "'{0}' makes a serializer each time it is called, which finds out about each type again. Make it once, and "
            + "keep it in a static field.",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire108");

    public static readonly DiagnosticDescriptor SessionNotDisposed = new(
        "WIRE109",
        "A session is not disposed of",
        "The session '{0}' is not disposed of. Declare it with using.",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire109");

    public static readonly DiagnosticDescriptor SessionOnThreads = new(
        "WIRE110",
        "A session is used by several threads",
        "The session '{0}' was made outside of what {1} runs at the same time, and a session takes one call at a time. Make one inside, or "
            + "use the serializer without a session, which is thread-safe.",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire110");

    public static readonly DiagnosticDescriptor Unrestricted = new(
        "WIRE111",
        "Payloads may name every type",
        "With WireTypeFilter.Unrestricted, a payload can create any object that the program's assemblies define. Allow the types that you "
            + "expect, as with WireTypeFilter.Default.AllowDerivedFrom<T>().",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire111");

    public static readonly DiagnosticDescriptor NothingAllowed = new(
        "WIRE112",
        "An object is read for which nothing is allowed",
        "'{0}' asks for an object of any type, and the options of the serializer allow none of yours: payloads with one are refused. "
            + "Ask for the type, or set SerializerOptions.TypeFilter.",
        Category,
        DiagnosticSeverity.Info,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire112");

    public static readonly DiagnosticDescriptor MemberGone = new(
        "WIRE113",
        "A member of the contract is gone",
        "'{0}' has no member '{1}' any more, which {2} has: what payloads hold in it is passed over. Write the contract anew where that is "
            + "meant.",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire113");

    public static readonly DiagnosticDescriptor MemberRenamed = new(
        "WIRE114",
        "A member may have been renamed since the contract",
        "'{0}' is not in {1}, which has '{2}' of the same type. If that has become '{0}', give it [WireName(\"{2}\")].",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire114");

    public static readonly DiagnosticDescriptor MemberRetyped = new(
        "WIRE115",
        "A member has another type than in the contract",
        "'{0}' is of the type {1}, and in {2} of {3}: values are converted where that is exact, and refused otherwise. Write the contract "
            + "anew where that is meant.",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire115");

    public static readonly DiagnosticDescriptor DamagedContract = new(
        "WIRE116",
        "A contract is damaged",
        "Line {0} of the contract is damaged: {1}. Write the contract anew from the types.",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire116");

    public static readonly DiagnosticDescriptor RequiredMemberAdded = new(
        "WIRE117",
        "A required member is not in the contract",
        "'{0}' is required, and {1} does not have it: payloads of that version are read, and leave it {2}. Set SerializerOptions."
            + "MissingMembers to RequiredRefused, so that they are refused, or write the contract anew where that is meant.",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire117",
        customTags: AtTheEnd);

    public static readonly DiagnosticDescriptor RequiredMembersMissing = new(
        "WIRE118",
        "Payloads may lack members that are required",
        "Payloads of a version without the required member {0} are read, and leave it {1}. Set MissingMembers to RequiredRefused, so that "
            + "they are refused, or to Allowed where that is meant.",
        Category,
        DiagnosticSeverity.Info,
        isEnabledByDefault: true,
        helpLinkUri: Page + "#wire118",
        customTags: AtTheEnd);

    private const string Category = "Wire";

    private const string Page = "docs/analyzers.md";

    // Such a finding is one of the whole program: an editor shows it after a build, or where it analyzes the whole solution.
    private const string AtTheEnd = WellKnownDiagnosticTags.CompilationEnd;
}

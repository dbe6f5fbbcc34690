using System.Runtime.CompilerServices;

namespace Wire.Runtime;

/// <summary>
/// Tells an exception that has been created, and not constructed yet, from others: no payload can make one that contains itself.
/// </summary>
internal static class UnfinishedExceptions
{
    // The very text that no finished one has.
    private static readonly string Unfinished = new(['?']);

    /// <summary>Marks one whose copies are to be filled: where code cannot be made at run time, exceptions are created as copies.</summary>
    public static void Mark(Exception created) => HelpLink(created) = Unfinished;

    /// <summary>Returns whether an exception has been created and not constructed.</summary>
    public static bool Contains(Exception exception) => RuntimeFeature.IsDynamicCodeSupported
        ? Code(exception) == 0
        : ReferenceEquals(HelpLink(exception), Unfinished);

    // Every constructor sets it. Native code has no such field.
    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_xcode")]
    private static extern ref int Code(Exception target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_helpURL")]
    private static extern ref string? HelpLink(Exception target);
}

using Wire.Runtime;

namespace Wire.Errors;

/// <summary>The errors for collections that cannot be read as what this program declares.</summary>
internal static class CollectionErrors
{
    private const string Rule =
        "Lists, arrays, sets and other sequences convert to each other, and maps to maps, where their elements do.";

    /// <summary>Makes the error for a collection where the program declares something else.</summary>
    /// <param name="written">The type that the payload names.</param>
    /// <param name="declared">The type of the variable.</param>
    public static WireFormatException NoForm(Type written, Type declared) => new(
        WireFormatError.SchemaMismatch,
        $"The payload holds {written.CSharpName()} where this program declares {declared.CSharpName()}, which is none of the " +
        $"collections that it converts to. {Rule} {Advice.ChangedMember}");

    /// <summary>Makes the error for a collection that cannot be read as another one.</summary>
    /// <param name="written">The type that the payload names.</param>
    /// <param name="declared">The type of the variable.</param>
    /// <param name="cause">The layouts that do not match.</param>
    public static WireFormatException NoConversion(Type written, Type declared, WireFormatException cause) => new(
        WireFormatError.SchemaMismatch,
        $"The payload holds {written.CSharpName()} where this program declares {declared.CSharpName()}. {cause.Message}",
        cause);

    /// <summary>Makes the error for a layout that this program's collection is not read from.</summary>
    /// <param name="layout">The writer's layout, in words.</param>
    /// <param name="collection">The collection.</param>
    public static WireFormatException NoLayout(string layout, Type collection) => new(
        WireFormatError.SchemaMismatch,
        $"The writer's {layout} cannot be read as the {collection.CSharpName()} that this program declares. {Rule} {Advice.ChangedMember}");

    /// <summary>Says what a set does not take that a sequence may have.</summary>
    public const string TwiceInSequence =
        "an element appears twice. The writer had a sequence there, which may hold an element twice, and a set does not: declare the " +
        "sequence again, or let the writer leave out what comes twice";
}

using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Flat;
using Wire.Runtime;
using Wire.Slots;

namespace Wire.Compilation.Flat;

/// <summary>Makes the flat code for the elements of collections.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal static class ElementCompiler
{
    /// <summary>Makes the code for elements; null where there is none.</summary>
    public static FlatElements? TryCreate(ValueSerializer element) =>
        !RuntimeFeature.IsDynamicCodeSupported ? null
        : (element is IPairSerializer pair ? FlatScope.IsFlat(pair.Key) && FieldsOf(element) is not null ? pair.Value : null : element)
            is IObjectSlot { ExactEntry: { Prefix: null, Serializer.Flat.IsLeaf: true } entry } slot
            ? new FlatElements(
                slot,
                entry,
                element is IPairSerializer ? () => FlatWriterCompiler.CompilePairs(element) : null,
                element is IPairSerializer ? () => FlatReaderCompiler.CompilePairs(element) : null)
            : null;

    /// <summary>The fields of a pair; null when it has none of these names.</summary>
    public static (FieldInfo Key, FieldInfo Value)? FieldsOf(ValueSerializer pair) =>
        Field(pair.Type, "key") is { } key && Field(pair.Type, "value") is { } value ? (key, value) : null;

    private static FieldInfo? Field(Type type, string name) => type.GetField(name, MemberFinder.DeclaredInstance);
}

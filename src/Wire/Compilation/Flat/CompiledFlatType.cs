using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Wire.Flat;
using Wire.Runtime;

namespace Wire.Compilation.Flat;

/// <summary>The flat code for the objects of a class, compiled from its members.</summary>
/// <param name="plan">The members.</param>
/// <param name="steps">The steps for reading them.</param>
/// <param name="bounds">What its objects take.</param>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed class CompiledFlatType(TypePlan plan, IReadOnlyList<ReadStep> steps, FlatBounds bounds) : FlatType(bounds)
{
    public override FlatWriter CompileWriter(byte[] prefix, int types, bool takesTag) =>
        new FlatWriterCompiler(plan).CompileMessage(prefix, types, takesTag);

    public override FlatReader CompileReader(byte[] prefix, int types, bool isKnown, int maxLength) =>
        new FlatReaderCompiler(plan, steps).CompileMessage(prefix, types, isKnown, maxLength);

    public override FlatOverwriter? CompileOverwriter(byte[] prefix, int maxLength) =>
        CanOverwrite(out _)
            ? new FlatReaderCompiler(plan, steps).CompileOverwriter(prefix, maxLength)
            : null;

    public override bool TakesPairs(ValueSerializer pair) => FieldsOf(pair) is not null;

    public override FlatElementsWriter CompilePairsWriter(ValueSerializer pair) => FlatWriterCompiler.CompilePairs(pair);

    public override FlatElementsReader CompilePairsReader(ValueSerializer pair) => FlatReaderCompiler.CompilePairs(pair);

    /// <summary>Returns the fields of a pair; null when it has none of these names.</summary>
    public static (FieldInfo Key, FieldInfo Value)? FieldsOf(ValueSerializer pair) =>
        Field(pair.Type, "key") is { } key && Field(pair.Type, "value") is { } value ? (key, value) : null;

    protected override FlatElementsWriter CompileObjectsWriter() => FlatWriterCompiler.CompileObjects(plan);

    protected override FlatElementsReader CompileObjectsReader() => FlatReaderCompiler.CompileObjects(plan, steps);

    protected override FlatElementsReader? CompileObjectsOverwriter() =>
        CanOverwrite(out bool isChangeable) && isChangeable ? FlatReaderCompiler.CompileObjects(plan, steps, overwrites: true) : null;

    private bool CanOverwrite(out bool isChangeable)
    {
        ObjectOverwriter? overwriter = IsLeaf && plan.Callbacks is null ? ObjectOverwriter.TryCreate(plan, steps) : null;
        isChangeable = overwriter is { IsChangeable: true };
        return overwriter is { FillsAll: true };
    }

    private static FieldInfo? Field(Type type, string name) => type.GetField(name, MemberFinder.DeclaredInstance);
}

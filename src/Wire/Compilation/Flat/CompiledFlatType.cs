using System.Diagnostics.CodeAnalysis;
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

    protected override FlatElementsWriter CompileObjectsWriter() => FlatWriterCompiler.CompileObjects(plan);

    protected override FlatElementsReader CompileObjectsReader() => FlatReaderCompiler.CompileObjects(plan, steps);
}

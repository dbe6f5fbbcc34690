using Wire.Slots;

namespace Wire.Compilation;

/// <summary>
/// A maker of the code that reads and writes complex types and unions: by emitting it, or by reflection where nothing can be emitted. The
/// code is an <see cref="ObjectWriter"/> or <see cref="ObjectReader"/> for a value type, and a <see cref="BodyWriter"/> or <see
/// cref="BodyReader"/> for a class.
/// </summary>
internal interface ITypeCompiler
{
    Delegate CompileWriter(TypePlan plan);

    Delegate CompileReader(TypePlan plan, IReadOnlyList<ReadStep> steps);

    /// <summary>Makes an <see cref="Copying.ObjectCopier{T}"/>.</summary>
    Delegate CompileCopier(TypePlan plan);

    Delegate CompileWriter(UnionPlan plan);

    Delegate CompileReader(UnionPlan plan, IReadOnlyList<CaseStep> cases);

    /// <summary>Makes an <see cref="Copying.ObjectCopier{T}"/>.</summary>
    Delegate CompileCopier(UnionPlan plan);
}

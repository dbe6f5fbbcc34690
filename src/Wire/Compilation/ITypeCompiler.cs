namespace Wire;

/// <summary>Makes the code that reads and writes complex types and unions: by emitting it, or by reflection where nothing can be emitted.</summary>
internal interface ITypeCompiler
{
    ObjectWriter CompileWriter(TypePlan plan);

    ObjectReader CompileReader(TypePlan plan, IReadOnlyList<ReadStep> steps);

    ObjectWriter CompileWriter(UnionPlan plan);

    ObjectReader CompileReader(UnionPlan plan, IReadOnlyList<CaseStep> cases);
}

using System.Diagnostics.CodeAnalysis;
using Wire.Compilation;
using Wire.Equality;
using Wire.Format;
using Wire.Runtime;
using Wire.Slots;
using Wire.Types;
using Wire.Values;

namespace Wire.ValueSerializers;

/// <summary>Unions: the number of the case in the writer's schema, and the fields of that case.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed class UnionSerializer<T> : CompiledSerializer<T>, IUnionSerializer, IOwnSchema
{
    private readonly Lazy<UnionPlan> _plan;
    private readonly CaseStep[]? _foreignCases;

    public UnionSerializer(UnionDefinition definition, TypeRegistry registry)
        : base(registry, foreign: null) =>
        _plan = new Lazy<UnionPlan>(() => UnionPlan.Create(definition, registry), LazyThreadSafetyMode.PublicationOnly);

    private UnionSerializer(UnionSerializer<T> own, Shape writer, AdaptContext context)
        : base(own.Registry, foreign: writer)
    {
        _plan = own._plan;
        var below = new AdaptContext(context.Registry, context, this);
        _foreignCases = CaseStep.Adapted(writer, _plan.Value, below);
    }

    internal override Shape Describe(ShapeBuilder builder) => builder.Union(
        typeof(T), _plan.Value.Cases.Select(c => (c.Name, Array.ConvertAll(c.Fields, field => (field.Name, field.Slot)))));

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        writer.Code == ShapeCode.Union ? new UnionSerializer<T>(this, writer, context) : null;

    protected override Delegate CompileWriter(ITypeCompiler compiler) => compiler.CompileWriter(_plan.Value);

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        UnionCase union = _plan.Value.Cases[_plan.Value.Layout.NumberOf(value)];
        parts.Form = union.Name;
        foreach (WireMember field in union.Fields)
        {
            parts.Add(field.Number, field.Slot, field.Load(value));
        }

        return true;
    }

    protected override Delegate CompileCopier(ITypeCompiler compiler) => compiler.CompileCopier(_plan.Value);

    protected override Delegate CompileReader(ITypeCompiler compiler) =>
        compiler.CompileReader(_plan.Value, _foreignCases ?? CaseStep.For(_plan.Value));
}

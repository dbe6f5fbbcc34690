using Wire.Compilation;
using Wire.Compilation.Straight;
using Wire.Contracts;
using Wire.Copying;
using Wire.Equality;
using Wire.Errors;
using Wire.Flat;
using Wire.Format;
using Wire.Messages;
using Wire.Types;

namespace Wire.ValueSerializers;

/// <summary>
/// Classes and value types, member by member, through code that is compiled for the second value. A foreign schema has its own serializer,
/// so that matching schemas pay nothing for it.
/// </summary>
internal sealed class ComplexSerializer<T> : CompiledSerializer<T>, IMemberwise
{
    private readonly Lazy<TypePlan> _plan;
    private readonly Lazy<bool> _holdsNoObjects;
    private readonly ReadStep[]? _foreignSteps;
    private readonly Lazy<FlatType?> _flat;
    private int _elementSize;
    private bool? _isImmutable;

    public ComplexSerializer(TypeRegistry registry)
        : base(registry, foreign: null)
    {
        _plan = new Lazy<TypePlan>(() => TypePlan.Create(typeof(T), registry), LazyThreadSafetyMode.PublicationOnly);
        _holdsNoObjects = new Lazy<bool>(() => _plan.Value.HoldsNoObjects, LazyThreadSafetyMode.PublicationOnly);
        _flat = new Lazy<FlatType?>(CreateFlat, LazyThreadSafetyMode.PublicationOnly);
    }

    private ComplexSerializer(ComplexSerializer<T> own, Shape writer, AdaptContext context)
        : base(own.Registry, foreign: writer)
    {
        _plan = own._plan;
        var below = new AdaptContext(context.Registry, context, writer, this);
        _foreignSteps = writer.Equals(Shape.Empty)
            ? [new ReadStep(null, null, Shape.Empty)]
            : ReadStep.Adapted(writer.Members, _plan.Value.Members, typeof(T).ToString(), below);
        CheckCommon(writer, _foreignSteps);
        AbsentMembers.Check(_foreignSteps, _plan.Value.Members, typeof(T).ToString(), writer, context);

        ReadStep[] steps = _foreignSteps;
        _holdsNoObjects = new Lazy<bool>(() => _plan.Value.ReadsNoObjects(steps), LazyThreadSafetyMode.PublicationOnly);
        _flat = new Lazy<FlatType?>(CreateFlat, LazyThreadSafetyMode.PublicationOnly);
    }

    public TypePlan Plan => _plan.Value;

    public IReadOnlyList<ReadStep> Steps => _foreignSteps ?? ReadStep.For(_plan.Value);

    internal override bool HasOwnSchema => true;

    internal override bool HoldsNoObjects => _holdsNoObjects.Value;

    // Objects of the program's classes are never shared, so that a copy can be told from its original.
    internal override bool IsImmutable => typeof(T).IsValueType && (_isImmutable ?? FindImmutable());

    internal override FlatType? Flat => _flat.Value;

    internal override int ElementSize => _elementSize > 0 ? _elementSize : _elementSize = Math.Max(
        1,
        Shape.AddSizes(_foreignSteps is { } steps
            ? steps.Select(step => step.Skipped?.MinSize ?? step.Written!.MinSize)
            : _plan.Value.Members.Select(member => member.Slot.ElementSize)));

    // While it is asked, for a type in its own collections, the answer is no.
    private bool FindImmutable()
    {
        _isImmutable = false;
        TypePlan plan = _plan.Value;
        bool isImmutable = plan.Callbacks is null && plan.IsWhole && Array.TrueForAll(plan.Members, member => member.Slot.IsImmutable);
        _isImmutable = isImmutable;
        return isImmutable;
    }

    private FlatType? CreateFlat() => Registry.Options.DynamicCode ? new FlatScope(Registry).Find(this, Plan, Steps) : null;

    internal override Shape Describe(ShapeBuilder builder)
    {
        WireMember[] own = _plan.Value.Members;
        Shape shape = builder.Members(
            typeof(T),
            Array.ConvertAll(own, member => (member.Name, member.Slot)),
            (i, part) => own[i].TupleNames?.Name(part) ?? part);
        return _plan.Value.IsEmpty ? Shape.Empty : shape;
    }

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context)
    {
        if (writer.Equals(Shape.Empty) && !typeof(T).IsValueType)
        {
            ThrowHelper.Format(
                WireFormatError.SchemaMismatch,
                $"The writer has {typeof(T)} as a singleton, and this program does not: add its instance to SerializerOptions.Singletons.");
        }

        return writer.Code == ShapeCode.Members || writer.Equals(Shape.Empty) ? new ComplexSerializer<T>(this, writer, context) : null;
    }

    // Only zeros would be read.
    private void CheckCommon(Shape writer, ReadStep[] steps)
    {
        WireMember[] own = _plan.Value.Members;
        if (writer.Members.Length == 0 || own.Length == 0 || Array.Exists(steps, step => step.Member is not null))
        {
            return;
        }

        ThrowHelper.Format(
            WireFormatError.SchemaMismatch,
            $"The writer's value has the members {Listed(writer.Members.Select(member => member.Name))}, and this program's {typeof(T)} has "
            + $"{Listed(own.Select(member => member.Name))}. They have no member in common, so nothing could be read. Give renamed members "
            + "their old names by [WireName], or declare the writer's type.");
    }

    private static string Listed(IEnumerable<string> names)
    {
        const int Shown = 8;
        string[] all = [.. names.Take(Shown + 1)];
        return string.Join(", ", all.Take(Shown).Select(name => $"'{name}'")) + (all.Length > Shown ? ", ..." : "");
    }

    // A callback of a value type must run on the variable itself; reflection has a copy.
    protected override Delegate CompileWriter(ITypeCompiler compiler) =>
        (_plan.Value.Callbacks is null ? compiler : TypeCompilers.For(Registry.Options)).CompileWriter(_plan.Value);

    // A callback may change what is written.
    internal override bool TryAddParts(GraphParts parts, object value)
    {
        if (_plan.Value.Callbacks is not null)
        {
            return false;
        }

        foreach (WireMember member in _plan.Value.Members)
        {
            parts.Add(member.Number, member.Slot, member.Load(value));
        }

        return true;
    }

    // A callback may change what it is called for, and expects the order of writing and reading.
    protected override Delegate CompileCopier(ITypeCompiler compiler) =>
        _plan.Value.Callbacks is null
            ? compiler.CompileCopier(_plan.Value)
            : (ObjectCopier<T>)((ref GraphCopier _, T _) => throw new CopyGivenUpException());

    protected override Delegate CompileReader(ITypeCompiler compiler) => compiler.CompileReader(Plan, Steps);
}

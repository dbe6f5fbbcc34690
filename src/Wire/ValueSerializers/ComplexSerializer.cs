using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Compilation;
using Wire.Compilation.Flat;
using Wire.Compilation.Flat.Parts;
using Wire.Copying;
using Wire.Equality;
using Wire.Errors;
using Wire.Flat;
using Wire.Format;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Slots;
using Wire.Types;
using Wire.Unknown;
using Wire.Values;

namespace Wire.ValueSerializers;

/// <summary>
/// Classes and value types, member by member, through code that is compiled for the second value. A foreign schema has its own serializer,
/// so that matching schemas pay nothing for it.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed class ComplexSerializer<T>
    : CompiledSerializer<T>, IElementSized, IMemberwise, IKeepingSerializer, IMeasured, IOverwriter, IOverwritingSlot, IOwnSchema
{
    // Only objects have manifests of their own.
    private static readonly bool IsKeeper = !typeof(T).IsValueType && typeof(IUnknownMembers).IsAssignableFrom(typeof(T));

    // In the paths of errors: a payload chooses the names, and a number for each would be kept for ever.
    private const string UnknownName = "<unknown>";

    private readonly ReadStep[]? _foreignSteps;
    private readonly Lazy<FlatType?> _flat;
    private readonly bool _writesKept;

    // Found when something asks for them, since types lead to each other; two threads may find the same.
    private TypePlan? _plan;
    private bool? _isImmutable;

    // Null in it where there is none.
    private Lazy<ObjectOverwriter?>? _overwriter;

    // Zero, until it is known: then positive where it is so.
    private int _holdsNoObjects;

    public ComplexSerializer(TypeRegistry registry)
        : base(registry, foreign: null) =>
        _flat = new Lazy<FlatType?>(CreateFlat, LazyThreadSafetyMode.PublicationOnly);

    private ComplexSerializer(ComplexSerializer<T> own, Shape writer, AdaptContext context)
        : base(own.Registry, foreign: writer)
    {
        _plan = own.Plan;
        var below = new AdaptContext(context.Registry, context, this);
        _foreignSteps = writer.Equals(Shape.Empty)
            ? [new ReadStep(null, null, Shape.Empty)]
            : ReadStep.Adapted(writer.Members, _plan.Members, typeof(T).ToString(), below);
        CheckCommon(writer, _foreignSteps, isNamed: context is { Above: null, IsNamed: true });
        AbsentMembers.Check(_foreignSteps, _plan.Members, typeof(T).ToString(), writer, context);

        if (IsKeeper)
        {
            Keep(_foreignSteps, writer);
        }

        _flat = new Lazy<FlatType?>(CreateFlat, LazyThreadSafetyMode.PublicationOnly);
    }

    // Writes the objects that have kept members, and reads nothing.
    private ComplexSerializer(ComplexSerializer<T> own, TypePlan plan)
        : base(own.Registry, foreign: null)
    {
        _writesKept = true;
        _plan = plan;
        _holdsNoObjects = -1;
        _flat = new Lazy<FlatType?>((FlatType?)null);
    }

    public TypePlan Plan => Volatile.Read(ref _plan) ?? CreatePlan();

    public bool Keeps => IsKeeper;

    public IReadOnlyList<ReadStep> Steps => _foreignSteps ?? ReadStep.For(Plan);

    internal override bool HoldsNoObjects =>
        (_holdsNoObjects == 0 ? _holdsNoObjects = FindHoldsNoObjects() : _holdsNoObjects) > 0;

    // Objects of the program's classes are never shared, so that a copy can be told from its original.
    internal override bool IsImmutable => typeof(T).IsValueType && (_isImmutable ?? FindImmutable());

    public override FlatType? FlatType => _flat.Value;

    int IElementSized.LeastSize => Math.Max(
        1,
        Shape.AddSizes(_foreignSteps is { } steps
            ? steps.Select(step => step.Skipped?.MinSize ?? step.Written!.MinSize)
            : Plan.Members.Select(member => member.Slot.ElementSize)));

    bool IOverwriter.CanOverwrite => !typeof(T).IsValueType && Overwriter is not null;

    bool IOverwriter.MayOverwrite => !typeof(T).IsValueType && Overwriter is { IsChangeable: true };

    private ObjectOverwriter? Overwriter => (_overwriter ??= new(
        () => IsKeeper || (typeof(T).IsValueType && Registry.Shape(this).NestsInline) ? null : ObjectOverwriter.TryCreate(Plan, Steps),
        LazyThreadSafetyMode.PublicationOnly)).Value;

    object IOverwriter.ReadOver(ref WireReader reader, object there)
    {
        Overwriter!.Read(ref reader, there);
        return there;
    }

    public void ReadOver(ref WireReader reader, ref byte variable)
    {
        if (typeof(T).IsValueType && HoldsReferences && Overwriter is { } overwriter)
        {
            overwriter.ReadMembers(ref reader, ref variable);
        }
        else
        {
            ReadAt(ref reader, ref variable);
        }
    }

    private TypePlan CreatePlan()
    {
        TypePlan made = TypePlan.Create(typeof(T), Registry);
        return Interlocked.CompareExchange(ref _plan, made, null) ?? made;
    }

    private int FindHoldsNoObjects() =>
        !IsKeeper && (_foreignSteps is null ? Plan.HoldsNoObjects : Plan.ReadsNoObjects(_foreignSteps)) ? 1 : -1;

    // While it is asked, for a type in its own collections, the answer is no.
    private bool FindImmutable()
    {
        _isImmutable = false;
        TypePlan plan = Plan;
        bool isImmutable = plan.Callbacks is null && plan.IsWhole && Array.TrueForAll(plan.Members, member => member.Slot.IsImmutable);
        _isImmutable = isImmutable;
        return isImmutable;
    }

    private FlatType? CreateFlat() => IsKeeper || new FlatScope(Registry).Find(this, Plan, Steps) is not { } bounds ? null
        : RuntimeFeature.IsDynamicCodeSupported && Registry.Options.DynamicCode ? new CompiledFlatType(Plan, Steps, bounds)
        : Plan.AreOwn([.. Steps]) && new FlatParts().OfClass(Plan) is { } type ? new InterpretedFlatType(type, bounds)
        : null;

    internal override Shape Describe(ShapeBuilder builder)
    {
        TypePlan plan = Plan;
        var members = new (string, ValueSerializer)[plan.Members.Length];
        for (int i = 0; i < members.Length; i++)
        {
            members[i] = (plan.Members[i].Name, plan.Members[i].Slot);
        }

        Shape shape = builder.Members(
            typeof(T),
            members,
            plan.HasTupleNames ? plan.NameTuples : null);
        return Plan.IsEmpty ? Shape.Empty
            : _writesKept && !Registry.Options.EnumsByName ? WithoutOwnNames(shape)
            : shape;
    }

    // What is kept has the names of its enums in any case: they came with it.
    private Shape WithoutOwnNames(Shape shape)
    {
        Shape plain = new ShapeParser(shape.Encode(withNames: false)).ReadShape();
        return Shape.FromMembers([.. plain.Members.Select(
            (member, i) => Plan.Members[i].Slot is UnknownMemberSlot<T> ? shape.Members[i] : member)]);
    }

    // With what a base class of .NET takes beside its fields, which are the object's.
    public long MeasureObject() => InstanceSize.Estimate(Type)
        + (Plan.Members is [.., { Field: null, Slot: { } part }] ? part.Measure() - InstanceSize.Estimate(part.Type) : 0);

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

    // Only zeros would be read. A type that the payload names may have lost its last member.
    private void CheckCommon(Shape writer, ReadStep[] steps, bool isNamed)
    {
        WireMember[] own = Plan.Members;
        if (writer.Members.Length == 0 || (own.Length == 0 && (isNamed || IsKeeper))
            || Array.Exists(steps, step => step.Member is not null))
        {
            return;
        }

        string here = own.Length == 0 ? "none" : ShortList.Show(own.Select(member => member.Name));
        ThrowHelper.Format(
            WireFormatError.SchemaMismatch,
            $"The writer's value has the members {ShortList.Show(writer.Members.Select(member => member.Name))}, and this program's "
            + $"{typeof(T)} has {here}. They have no member in common, so nothing could be "
            + "read. Give renamed members their old names by [WireName], or declare the writer's type.");
    }

    // The last step sets what is kept.
    private static void Keep(ReadStep[] steps, Shape writer)
    {
        int[] skipped = [.. Enumerable.Range(0, steps.Length).Where(i => steps[i].Skipped is not null)];
        Dictionary<string, string> names = Enumerable.Range(0, steps.Length)
            .Where(i => steps[i].Member is { } member && member.Name != writer.Members[i].Name)
            .ToDictionary(i => steps[i].Member!.Name, i => writer.Members[i].Name);
        var schema = new UnknownSchema(Array.ConvertAll(skipped, i => writer.Members[i]), names);
        for (int i = 0; i < skipped.Length; i++)
        {
            ReadStep step = steps[skipped[i]];
            steps[skipped[i]] = step with { Kept = new UnknownStep(schema, i) };
        }
    }

    public ValueSerializer With(UnknownLayout layout)
    {
        TypePlan plan = Plan;
        var members = new List<WireMember>(plan.Members.Select(member => member with { Name = layout.NameOf(member.Name) }));
        foreach (int index in layout.Indices)
        {
            string name = layout.Member(index).Name;
            if (members.Exists(member => member.Name == name))
            {
                throw new InvalidOperationException(
                    $"The UnknownMembers of an object of type {typeof(T)} have a member '{name}', which the type has itself: they come "
                    + "from an object of another type. Set them to null.");
            }

            int number = Registry.Members.Add(typeof(T).NameAsOwner(), UnknownName);
            members.Add(new WireMember(null, name, new UnknownMemberSlot<T>(layout, index), number));
        }

        members.Sort(CompareOrder);
        // Generated code writes the members of the type alone.
        return new ComplexSerializer<T>(this, plan with { Members = [.. members], Generated = null });
    }

    // The state of a .NET base class comes last.
    private static int CompareOrder(WireMember x, WireMember y)
    {
        bool isLast = IsPartName(x.Name), isOtherLast = IsPartName(y.Name);
        return isLast == isOtherLast ? string.CompareOrdinal(x.Name, y.Name) : isLast ? 1 : -1;
    }

    private static bool IsPartName(string name) => name.StartsWith('<');

    protected override Delegate CompileWriter(ITypeCompiler compiler)
    {
        Delegate write = compiler.CompileWriter(Plan);
        return IsKeeper && !_writesKept ? CheckedWriter((BodyWriter)write) : write;
    }

    // Where the schema is that of the class, an object that has kept others would lose them.
    private static BodyWriter CheckedWriter(BodyWriter write) => (ref WireWriter writer, object value) =>
    {
        UnknownFormat.CheckNone(ref writer, value);
        write(ref writer, value);
    };

    // A callback may change what is written.
    internal override bool TryAddParts(GraphParts parts, object value)
    {
        if (Plan.Callbacks is not null)
        {
            return false;
        }

        if (IsKeeper && !_writesKept && value is IUnknownMembers { UnknownMembers: { IsEmpty: false } unknown })
        {
            TypeEntry entry = Registry.Entry(typeof(T));
            UnknownVariants.Variant variant = entry.Variants!.Find(unknown.Layout, entry, Registry);
            parts.Form = $"the unknown members {string.Join(", ", unknown.Names)}";
            parts.Add(GraphPath.Root, null, variant.Named);
            return variant.Serializer.TryAddParts(parts, value);
        }

        foreach (WireMember member in Plan.Members)
        {
            object? part = member.Slot is UnknownMemberSlot<T> kept ? kept.ContentOf(value) : member.Load(value);
            parts.Add(member.Number, member.Slot, part);
        }

        return true;
    }

    // A callback may change what it is called for, and expects the order of writing and reading.
    protected override Delegate CompileCopier(ITypeCompiler compiler)
    {
        if (Plan.Callbacks is not null)
        {
            return (ObjectCopier<T>)((ref GraphCopier _, T _) => throw new CopyGivenUpException());
        }

        Delegate copy = compiler.CompileCopier(Plan);
        return IsKeeper ? KeepingCopier((ObjectCopier<T>)copy) : copy;
    }

    private static ObjectCopier<T> KeepingCopier(ObjectCopier<T> copy) => (ref GraphCopier copier, T value) =>
    {
        UnknownMembers? unknown = ((IUnknownMembers)value!).UnknownMembers;
        if (unknown is { IsShareable: false } && !copier.IsTracking)
        {
            throw new CopyGivenUpException();
        }

        T made = copy(ref copier, value);
        if (unknown is not null)
        {
            ((IUnknownMembers)made!).UnknownMembers = unknown.IsShareable ? unknown
                : UnknownObjectSerializer.Copy(ref copier, unknown);
        }

        return made;
    };

    protected override Delegate CompileReader(ITypeCompiler compiler) => compiler.CompileReader(Plan, Steps);
}

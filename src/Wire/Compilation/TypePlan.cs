using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using Wire.Compilation.Flat.Parts;
using Wire.Errors;
using Wire.Format;
using Wire.Runtime;
using Wire.Slots;
using Wire.Types;
using Wire.Unknown;

namespace Wire.Compilation;

/// <summary>
/// One member of a complex type, or one field of a union's case: the field, its name on the wire, and its value serializer. Without a field
/// it is the state of a .NET base class, and its value serializer is an <see cref="IBasePart"/>.
/// </summary>
internal sealed record WireMember(FieldInfo? Field, string Name, ValueSerializer Slot, int Number)
{
    /// <summary>The name without the class that tells it from those of other classes of the type.</summary>
    public string PlainName { get; init; } = Name;

    /// <summary>
    /// The property of a union's field, which the program declares, and which <see cref="MemberFinder.FaceOf(FieldInfo)"/> does not find.
    /// </summary>
    public PropertyInfo? Face { get; init; }

    /// <summary>The names of the elements of tuples in it; null where there are none.</summary>
    public TupleNames? TupleNames { get; init; }

    /// <summary>
    /// The bytes in front of it among the fields of its object, once <see cref="FieldOffsets"/> has looked; negative where it is not there.
    /// </summary>
    public int Offset = FieldOffsets.Unknown;

    /// <summary>
    /// Emits the load: the object, or a reference to the value type, is on the evaluation stack. For a base part it is the object.
    /// </summary>
    public void EmitLoad(ILGenerator il)
    {
        if (Field is not null)
        {
            il.Emit(OpCodes.Ldfld, Field);
        }
    }

    /// <summary>Returns the value of an object's member.</summary>
    public object? Load(object target) => Field is null ? target : Field.GetValue(target);
}

/// <summary>
/// One step of reading a complex type: a member to fill, or a shape to skip because the type has no such member.
/// </summary>
internal sealed record ReadStep(WireMember? Member, ValueSerializer? Serializer, Shape? Skipped)
{
    /// <summary>The keeping of a skipped member; null when it is lost.</summary>
    public UnknownStep? Kept { get; init; }

    /// <summary>The writer's shape of a member to fill; null when the schema is the type's own.</summary>
    public Shape? Written { get; init; }

    /// <summary>Steps for a schema that is the type's own.</summary>
    public static ReadStep[] For(TypePlan plan) => plan.IsEmpty
        ? [new ReadStep(null, null, Format.Shape.Empty)]
        : For(plan.Members);

    /// <summary>Steps for the type's own members.</summary>
    public static ReadStep[] For(WireMember[] members)
    {
        var steps = new ReadStep[members.Length];
        for (int i = 0; i < steps.Length; i++)
        {
            steps[i] = new ReadStep(members[i], members[i].Slot, null);
        }

        return steps;
    }

    /// <summary>Makes the steps for the members of a writer: into the member that each is here, or past it.</summary>
    /// <param name="written">The writer's members.</param>
    /// <param name="members">The members of the reader's type.</param>
    /// <param name="owner">The name of the type in error messages.</param>
    /// <param name="context">The enclosing layouts.</param>
    public static ReadStep[] Adapted(ShapeMember[] written, WireMember[] members, string owner, AdaptContext context)
    {
        WireMember?[] found = MemberMatch.Find(written, members, owner, context.Registry.Options.TypeAliases);
        return [.. written.Select((member, i) => Adapted(member, found[i], owner, context))];
    }

    private static ReadStep Adapted(ShapeMember written, WireMember? member, string owner, AdaptContext context)
    {
        if (member is null)
        {
            context.Differences?.AddUnknown(written.Name);
            return new ReadStep(null, null, written.Shape);
        }

        context.Differences?.Enter(member.Name);
        try
        {
            Shape shape = member.TupleNames?.Place(written.Shape) ?? written.Shape;
            ValueSerializer serializer = member.Slot.Adapt(shape, context);
            if (member.TupleNames is not null && TupleNames.AreMoved(shape))
            {
                serializer = SerializerSource.Library.CreateUnshared(serializer);
            }

            context.Differences?.Compare(shape, context.Registry.Shape(member.Slot));
            return member.Field is not null || serializer is IBasePart
                ? new ReadStep(member, serializer, null) { Written = shape }
                : throw new WireFormatException(
                    WireFormatError.SchemaMismatch,
                    $"The writer's {shape} cannot be read as the {member.Slot.Type} that the class derives from. {Advice.ChangedMember}");
        }
        catch (WireFormatException e) when (e.Error == WireFormatError.SchemaMismatch)
        {
            throw new WireFormatException(e.Error, $"Member '{member.Name}' of {owner}: {e.Message}", e);
        }
        finally
        {
            context.Differences?.Exit();
        }
    }
}

/// <summary>Generated code for the members of one type and one serializer.</summary>
/// <param name="Write">Writes them.</param>
/// <param name="Read">Reads them, where the schema is the type's own.</param>
/// <param name="Objects">
/// Makes the code that reads objects of the class and schema, from what makes one and says whether it is tracked.
/// </param>
/// <param name="Flat">Makes the code for them in one kind of flat messages; null where a part is not flat.</param>
internal sealed record GeneratedMembers(
    ObjectWriter Write, ObjectReader Read, Func<Func<object>, Lazy<bool>, BodyReader> Objects, Func<FlatParts, FlatRoot?> Flat);

/// <summary>Makes the generated code for the members of a type, and tells which those are: <see cref="WireTypeRow.Code"/>.</summary>
internal interface IMemberCode : ToldMember.ITeller
{
    /// <summary>Makes the code for members; null where they are others.</summary>
    GeneratedMembers? For(WireMember[] members);
}

/// <summary>The plan of a complex type, which is compiled: the type and its members in the order in which they are written.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed record TypePlan(Type Type, WireMember[] Members)
{
    /// <summary>The callbacks; null when there are none, or the options do not allow them.</summary>
    public SerializationCallbacks? Callbacks { get; init; }

    /// <summary>
    /// The constructor for objects whose schema lacks members; null when there is none that may be called, or the options do not allow it.
    /// </summary>
    public ConstructorInfo? Constructor { get; init; }

    /// <summary>The row of the type, which may say how its objects are made; null where it has none, or code is emitted.</summary>
    public WireTypeRow? Row;

    /// <summary>The generated code for the members; null where none was generated, or not for these, or code is emitted.</summary>
    public GeneratedMembers? Generated;

    /// <summary>
    /// Gets whether it is a value type without members, which takes one byte, so that a count of elements is always bounded by the
    /// remaining bytes.
    /// </summary>
    public bool IsEmpty => Type.IsValueType && Members.Length == 0;

    /// <summary>
    /// The state of a .NET base class. It comes last, because filling it may run code of the type.
    /// </summary>
    public WireMember? BasePart => Members.Length > 0 && Members[^1].Field is null ? Members[^1] : null;

    /// <summary>Gets whether all fields of the type are members, so that a value may be copied as a whole.</summary>
    public bool IsWhole
    {
        get
        {
            int fields = 0;
            for (Type? current = Type; current is not null; current = current.BaseType)
            {
                fields += current.GetFields(MemberFinder.DeclaredInstance).Length;
            }

            return fields == Members.Length;
        }
    }

    /// <summary>Gets whether a member names the elements of tuples in it.</summary>
    public bool HasTupleNames
    {
        get
        {
            foreach (WireMember member in Members)
            {
                if (member.TupleNames is not null)
                {
                    return true;
                }
            }

            return false;
        }
    }

    /// <summary>Gives the elements of tuples in a member's shape the names that the member has for them.</summary>
    public Shape NameTuples(int member, Shape shape) => Members[member].TupleNames?.Name(shape) ?? shape;

    /// <summary>Gets whether its values hold no objects: <see cref="ValueSerializer.HoldsNoObjects"/>.</summary>
    public bool HoldsNoObjects => Callbacks is null && Array.TrueForAll(Members, member => member.Slot.HoldsNoObjects);

    /// <summary>Says the same for a writer's schema; skipped parts do not count.</summary>
    public bool ReadsNoObjects(IReadOnlyList<ReadStep> steps) =>
        HoldsNoObjects && ConstructorFor(steps) is null
        && steps.All(step => step.Skipped is { FixedSize: > 0 } || step.Serializer is { HoldsNoObjects: true });

    /// <summary>The base part to construct because the writer's type had none; null when there is nothing to do.</summary>
    public IBasePart? MissingPart(IEnumerable<ReadStep> steps) =>
        BasePart is { } part && !steps.Any(step => step.Member is { Field: null }) ? (IBasePart)part.Slot : null;

    /// <summary>The constructor to call, because the schema lacks members; null when there is nothing to do.</summary>
    public ConstructorInfo? ConstructorFor(IReadOnlyList<ReadStep> steps) => Constructor is null || Fills(steps) ? null : Constructor;

    /// <summary>Returns whether steps read what is written here.</summary>
    public bool AreOwn(ReadStep[] steps)
    {
        bool areOwn = steps.Length == Members.Length;
        for (int i = 0; areOwn && i < steps.Length; i++)
        {
            areOwn = ReferenceEquals(steps[i].Member, Members[i]) && ReferenceEquals(steps[i].Serializer, Members[i].Slot);
        }

        return areOwn;
    }

    private bool Fills(IReadOnlyList<ReadStep> steps) =>
        Array.TrueForAll(Members, member => steps.Any(step => ReferenceEquals(step.Member, member)));

    public static TypePlan Create(Type type, TypeRegistry registry)
    {
        var members = new List<WireMember>();
        (Type? owner, string ownerName) = (null, "");
        foreach (NamedField named in MemberFinder.Fields(type, registry.Options, registry))
        {
            FieldInfo field = named.Field;
            if (field.DeclaringType != owner)
            {
                owner = field.DeclaringType!;
                ownerName = owner.NameAsOwner();
            }

            int number = registry.Members.Add(ownerName, named.Name);
            ValueSerializer slot = MemberFinder.IsDetail(field)
                ? SerializerSource.Library.CreateDetailSlot(field.FieldType, registry)
                : Slot(type, named.Name, named.Type, registry);
            members.Add(new WireMember(field, named.Name, slot, number)
            {
                PlainName = named.PlainName,
                TupleNames = TupleNames.Find(field, named.Type),
            });
        }

        for (Type? level = type; level is not null; level = level.BaseType)
        {
            if (level.IsExplicitLayout)
            {
                FieldOverlaps.Check(type, level, members);
            }
        }

        if (SerializerSource.Library.BasePartOf(type) is { } part)
        {
            ValueSerializer serializer = registry.Entry(part).Serializer;
            if (serializer is not IBasePart { PartName: var name })
            {
                throw new UnsupportedTypeException(
                    type, $"it derives from {part}, which Wire cannot write as a part of another object. {Advice.Replace(type)}");
            }

            members.Add(new WireMember(null, name, serializer, registry.Members.Add(type.NameAsOwner(), name)));
        }

        WireMember[] all = [.. members];
        WireTypeRow? row = registry.Options.RowOf(type);
        var plan = new TypePlan(type, all)
        {
            Callbacks = SerializationCallbacks.Find(type, registry.Options),
            Row = row,
            Generated = ((IMemberCode?)row?.Code)?.For(all),
        };
        return registry.Options.UseConstructors && plan.BasePart is null && !type.IsAbstract
            ? plan with { Constructor = type.GetConstructor(Type.EmptyTypes) }
            : plan;
    }

    /// <summary>The value serializer of a member.</summary>
    /// <exception cref="UnsupportedTypeException">Its type cannot be serialized; the message names the member.</exception>
    public static ValueSerializer Slot(Type type, string name, Type declared, TypeRegistry registry)
    {
        try
        {
            return registry.CreateSlot(declared);
        }
        catch (UnsupportedTypeException e)
        {
            throw e.In($"{type}.{name}");
        }
    }
}

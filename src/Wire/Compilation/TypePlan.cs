using System.Reflection;
using System.Reflection.Emit;
using Wire.Errors;
using Wire.Format;
using Wire.OptIn;
using Wire.SerializerFactories;
using Wire.Types;
using Wire.ValueSerializers;

namespace Wire.Compilation;

/// <summary>
/// One member of a complex type, or one field of a union's case: the field, or the property that reads it, its name on the wire, and the
/// value serializer of the variable that it is. Without a source it is the part that the type has from a base class of .NET, and its value
/// serializer an <see cref="IBasePart"/>.
/// </summary>
internal sealed record WireMember(MemberInfo? Source, string Name, ValueSerializer Slot, int Number)
{
    /// <summary>The field of a complex type.</summary>
    public FieldInfo? Field => Source as FieldInfo;

    /// <summary>
    /// Emits the load: the object, or a reference to the value type, is on the evaluation stack. A base part is the object.
    /// </summary>
    public void EmitLoad(ILGenerator il)
    {
        if (Source is PropertyInfo { GetMethod: { } getter })
        {
            il.Emit(getter.IsVirtual ? OpCodes.Callvirt : OpCodes.Call, getter);
        }
        else if (Field is { } field)
        {
            il.Emit(OpCodes.Ldfld, field);
        }
    }

    /// <summary>Gives the value of an object's member.</summary>
    public object? Load(object target) => Source switch
    {
        PropertyInfo property => property.GetValue(target, BindingFlags.DoNotWrapExceptions, binder: null, index: null, culture: null),
        FieldInfo field => field.GetValue(target),
        _ => target,
    };
}

/// <summary>
/// One step of reading a complex type: a member to fill, or a shape to pass over because the type has no such member, together with the
/// shapes around it, to which a recursion in it may refer.
/// </summary>
internal sealed record ReadStep(WireMember? Member, ValueSerializer? Serializer, Shape? Skipped, Skipper.Levels? Above = null)
{
    /// <summary>The shape that the writer gave a member to fill; null when the schema is the type's own.</summary>
    public Shape? Written { get; init; }

    /// <summary>Steps for a schema that is the type's own.</summary>
    public static ReadStep[] For(TypePlan plan) => plan.IsEmpty
        ? [new ReadStep(null, null, Format.Shape.Empty)]
        : For(plan.Members);

    /// <summary>Steps for members of your own.</summary>
    public static ReadStep[] For(WireMember[] members) => [.. members.Select(m => new ReadStep(m, m.Slot, null))];

    /// <summary>The step for a member that a writer wrote: into the member of that name, or past it.</summary>
    /// <param name="written">The member.</param>
    /// <param name="members">Those of the type that reads.</param>
    /// <param name="owner">What to call the type in an error message.</param>
    /// <param name="context">The layouts around it.</param>
    public static ReadStep Adapted(ShapeMember written, WireMember[] members, string owner, AdaptContext context)
    {
        WireMember? member = Array.Find(members, m => m.Name == written.Name);
        if (member is null)
        {
            return new ReadStep(null, null, written.Shape, context.Levels());
        }

        try
        {
            return new ReadStep(member, member.Slot.Adapt(written.Shape, context), null) { Written = written.Shape };
        }
        catch (WireFormatException e) when (e.Error == WireFormatError.SchemaMismatch)
        {
            throw new WireFormatException(e.Error, $"Member '{member.Name}' of {owner}: {e.Message}", e);
        }
    }
}

/// <summary>The plan of a complex type, which is compiled: the type and its members in the order in which they are written.</summary>
internal sealed record TypePlan(Type Type, WireMember[] Members)
{
    /// <summary>The methods to call around it; null when there are none, or no one asks for them.</summary>
    public SerializationCallbacks? Callbacks { get; init; }

    /// <summary>
    /// Says whether it is a value type without members, which is one byte, so that a count of elements is always bounded by the bytes that
    /// are left.
    /// </summary>
    public bool IsEmpty => Type.IsValueType && Members.Length == 0;

    /// <summary>
    /// The part that the type has from a base class of .NET. It comes last: what it is filled with may run code of the type.
    /// </summary>
    public WireMember? BasePart => Members.Length > 0 && Members[^1].Field is null ? Members[^1] : null;

    /// <summary>Says whether its values hold no objects: <see cref="ValueSerializer.HoldsNoObjects"/>.</summary>
    public bool HoldsNoObjects => Callbacks is null && Array.TrueForAll(Members, member => member.Slot.HoldsNoObjects);

    /// <summary>Says whether that is so of what a writer wrote; of what is passed over no one asks.</summary>
    public bool ReadsNoObjects(IEnumerable<ReadStep> steps) =>
        HoldsNoObjects && steps.All(step => step.Skipped is { FixedSize: > 0 } || step.Serializer is { HoldsNoObjects: true });

    /// <summary>The base part that has to be constructed because the writer's type had none; null when there is nothing to do.</summary>
    public IBasePart? MissingPart(IEnumerable<ReadStep> steps) =>
        BasePart is { } part && !steps.Any(step => step.Member is { Field: null }) ? (IBasePart)part.Slot : null;

    public static TypePlan Create(Type type, TypeRegistry registry)
    {
        var members = new List<WireMember>();
        foreach ((FieldInfo field, string name) in MemberFinder.Fields(type))
        {
            int number = registry.AddMember(field.DeclaringType!, name);
            members.Add(new WireMember(field, name, Slot(type, name, field.FieldType, registry), number));
        }

        if (BuiltInFactory.BasePartOf(type) is { } part)
        {
            ValueSerializer serializer = registry.Entry(part).Serializer;
            if (serializer is not IBasePart { PartName: var name })
            {
                throw new UnsupportedTypeException(
                    type, $"it derives from {part}, which Wire cannot write as a part of another object. {Advice.Replace(type)}");
            }

            members.Add(new WireMember(null, name, serializer, registry.AddMember(type, name)));
        }

        return new TypePlan(type, [.. members]) { Callbacks = SerializationCallbacks.Find(type, registry.Options) };
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
            throw new UnsupportedTypeException(e.Type, $"it is the type of {type}.{name}; {e.Reason}");
        }
    }
}

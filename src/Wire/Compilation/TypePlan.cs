using Wire.Format;

namespace Wire;

/// <summary>
/// One member of a complex type: the field, its name on the wire, and the value serializer of the variable that it is. Without
/// a field it is the part that the type has from a base class of .NET, and its value serializer an <see cref="IBasePart"/>.
/// </summary>
internal sealed record WireMember(System.Reflection.FieldInfo? Field, string Name, ValueSerializer Slot, int Number);

/// <summary>
/// One step of reading a complex type: a member to fill, or a shape to pass over because the type has no such member,
/// together with the shapes around it, to which a recursion in it may refer.
/// </summary>
internal sealed record ReadStep(WireMember? Member, ValueSerializer? Serializer, Shape? Skipped, Skipper.Levels? Above = null)
{
    /// <summary>The shape that the writer gave a member to fill; null when the schema is the type's own.</summary>
    public Shape? Written { get; init; }

    /// <summary>Steps for a schema that is the type's own.</summary>
    public static ReadStep[] For(TypePlan plan) => plan.IsEmpty
        ? [new ReadStep(null, null, Format.Shape.Empty)]
        : [.. plan.Members.Select(m => new ReadStep(m, m.Slot, null))];
}

/// <summary>What is compiled: a complex type and its members in the order in which they are written.</summary>
internal sealed record TypePlan(Type Type, WireMember[] Members)
{
    /// <summary>Whether it is a value type without members, which is one byte, so that a count of elements is always bounded by the bytes that are left.</summary>
    public bool IsEmpty => Type.IsValueType && Members.Length == 0;

    /// <summary>The part that the type has from a base class of .NET. It comes last: what it is filled with may run code of the type.</summary>
    public WireMember? BasePart => Members.Length > 0 && Members[^1].Field is null ? Members[^1] : null;

    /// <summary>The base part that has to be constructed because the writer's type had none; null when there is nothing to do.</summary>
    public IBasePart? MissingPart(IEnumerable<ReadStep> steps) =>
        BasePart is { } part && !steps.Any(step => step.Member is { Field: null }) ? (IBasePart)part.Slot : null;

    public static TypePlan Create(Type type, TypeRegistry registry)
    {
        var members = new List<WireMember>();
        foreach ((System.Reflection.FieldInfo field, string name) in MemberFinder.Fields(type))
        {
            try
            {
                members.Add(new WireMember(field, name, registry.CreateSlot(field.FieldType), registry.AddMember(name)));
            }
            catch (UnsupportedTypeException e)
            {
                throw new UnsupportedTypeException(e.Type, $"it is the type of {type}.{name}; {e.Reason} Leave the member out with [IgnoreMember], or use a surrogate.");
            }
        }

        if (BuiltInFactory.BasePartOf(type) is { } part)
        {
            ValueSerializer serializer = registry.Entry(part).Serializer;
            if (serializer is not IBasePart { PartName: var name })
            {
                throw new UnsupportedTypeException(type, $"it derives from {part}, of which an object cannot be a part. Use a surrogate or a ValueSerializer for it.");
            }

            members.Add(new WireMember(null, name, serializer, registry.AddMember(name)));
        }

        return new TypePlan(type, [.. members]);
    }
}

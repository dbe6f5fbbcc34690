using System.Diagnostics.CodeAnalysis;
using Wire.Flat;
using Wire.Runtime;
using Wire.Slots;
using Wire.Types;

namespace Wire.Compilation.Flat;

/// <summary>The search for what the flat objects of a type consist of: types that contain themselves have no bounds.</summary>
/// <param name="registry">The registry that owns the value serializers.</param>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed class FlatScope(TypeRegistry registry)
{
    /// <summary>The maximal number of objects below the root.</summary>
    public const int MaxObjects = 16;

    // Code for more members or levels is not worth its size.
    private const int MaxMembers = 256;

    private readonly HashSet<ValueSerializer> _above = [];
    private TypeBounds? _bounds;
    private int _members;
    private int _objects;

    /// <summary>Returns what the objects of a class take, as one writer's schema has them; null when they are not flat.</summary>
    public FlatBounds? Find(ValueSerializer root, TypePlan plan, IReadOnlyList<ReadStep> steps)
    {
        // Flat code may give up and begin again, which a constructor would notice.
        if (plan.Type.IsValueType || plan is not { Callbacks: null, BasePart: null, Members.Length: > 0 }
            || plan.ConstructorFor(steps) is not null || !_above.Add(root))
        {
            return null;
        }

        _bounds = new TypeBounds(plan.Type);
        FlatBounds bounds = FlatBounds.Least with { Memory = FlatBounds.Least.Memory + root.Measure() };
        foreach (WireMember member in ValueParts.AllMembers(plan))
        {
            if (Bound(member.Slot) is not { } next)
            {
                return null;
            }

            bounds = bounds.And(next);
        }

        return ValueParts.AllSteps(steps).All(step => step.Skipped is { FixedSize: > 0 }
            || (step.Member is not null && (ReferenceEquals(step.Serializer, step.Member.Slot) || IsFlat(step.Serializer!))))
            ? bounds
            : null;
    }

    /// <summary>Returns whether a variable is of a fixed size, or text, or such a value or null.</summary>
    public static bool IsFlat(ValueSerializer slot) => slot is IFixedSerializer or IWindowSlot { InWindow: not null };

    // Null when it is not flat.
    private FlatBounds? Bound(ValueSerializer slot) =>
        ++_members > MaxMembers ? null
        : IsFlat(slot) ? FlatBounds.Least
        : !_bounds!.Admit(slot.Type) ? null
        : slot is IObjectSlot { ExactEntry: { } entry } && !registry.Options.PreserveObjectReferences && IsJudged(entry.Type)
            ? BoundObject(entry)
        : slot is IMemberwise { Plan: { Type.IsValueType: true, Callbacks: null, IsEmpty: false } plan } ? BoundMembers(slot, plan)
        : null;

    private FlatBounds? BoundObject(TypeEntry entry)
    {
        ValueSerializer content = entry.Serializer;
        return ++_objects > MaxObjects ? null
            : content is IMemberwise { Plan: { Callbacks: null, BasePart: null, Members.Length: > 0 } plan }
                ? BoundMembers(content, plan)?.InObject(content)
            : entry.HasOwnManifest || content is not ISequenceSerializer { Element: var element } sequence || !_above.Add(content) ? null
            : Leave(content, Bound(element))?.InObject(content) is { } bounds
                ? bounds with { Memory = bounds.Memory + sequence.ElementMemory }
            : null;
    }

    private FlatBounds? BoundMembers(ValueSerializer type, TypePlan plan)
    {
        if (!_above.Add(type))
        {
            return null;
        }

        FlatBounds? all = FlatBounds.Least;
        foreach (WireMember member in ValueParts.AllMembers(plan))
        {
            all = all is { } before && Bound(member.Slot) is { } next ? before.And(next) : null;
        }

        return Leave(type, all);
    }

    private FlatBounds? Leave(ValueSerializer type, FlatBounds? bounds)
    {
        _above.Remove(type);
        return bounds;
    }

    // Flat code reads objects that payloads need not name.
    private bool IsJudged(Type type)
    {
        try
        {
            registry.Resolver.Judge(type);
            return true;
        }
        catch (TypeRefusedException)
        {
            // Reported where such an object is read.
            return false;
        }
    }
}

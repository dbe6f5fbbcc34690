using System.Diagnostics.CodeAnalysis;
using Wire.Runtime;
using Wire.Slots;
using Wire.Types;

namespace Wire.Compilation.Flat.Parts;

/// <summary>
/// Makes the code for the variables of one kind of flat messages, of which <see cref="FlatScope"/> has found that they end: by generated
/// code for members where there is some, and none is emitted.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
internal sealed class FlatParts
{
    private readonly Dictionary<TypeEntry, int> _types = [];

    /// <summary>Makes the code for a variable; null when its values are not flat.</summary>
    public FlatPart? Of(ValueSerializer slot) =>
        slot is IFlatSlot own ? own.CreateFlatPart()
        : slot is IObjectSlot { ExactEntry: { } entry } variable
            ? entry.Serializer is IFlatSequence sequence ? sequence.CreateFlatPart(entry, this) : OfObject(variable, entry)
        : slot is IMemberwise { Plan: { Type.IsValueType: true } plan } ? OfMembers(plan)
        : null;

    /// <summary>Makes the code for the objects of a class; null where a member is not flat.</summary>
    public FlatClass? OfClass(TypePlan plan) => OfMembers(plan) is { } members ? new FlatClass(plan, members) : null;

    private FlatObject? OfObject(IObjectSlot variable, TypeEntry entry)
    {
        if (entry.Serializer is not IMemberwise { Plan: var plan } || OfClass(plan) is not { } type)
        {
            return null;
        }

        if (!_types.TryGetValue(entry, out int index))
        {
            index = _types.Count;
            _types.Add(entry, index);
        }

        return new FlatObject(variable, entry, index, type);
    }

    private FlatRoot? OfMembers(TypePlan plan) => plan.Generated?.Flat(this) ?? FlatMembers.TryCreate(plan, this);
}

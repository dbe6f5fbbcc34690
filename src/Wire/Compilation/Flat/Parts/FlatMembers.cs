using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Runtime;

namespace Wire.Compilation.Flat.Parts;

/// <summary>The members of a struct or a class, each where it lies: of an object, the variable has the reference.</summary>
internal sealed class FlatMembers : FlatRoot
{
    private readonly FlatPart[] _parts;
    private readonly int[] _offsets;
    private readonly bool _isStruct;

    private FlatMembers(FlatPart[] parts, int[] offsets, bool isStruct)
    {
        _parts = parts;
        _offsets = offsets;
        _isStruct = isStruct;
    }

    /// <summary>Makes it; null where a member is not flat, or does not lie in the object.</summary>
    [RequiresUnreferencedCode(TrimmingAdvice.Inside)]
    public static FlatMembers? TryCreate(TypePlan plan, FlatParts parts)
    {
        FieldOffsets.Find(plan.Type, plan.Members);
        var all = new FlatPart[plan.Members.Length];
        for (int i = 0; i < all.Length; i++)
        {
            if (plan.Members[i].Offset < 0 || parts.Of(plan.Members[i].Slot) is not { } part)
            {
                return null;
            }

            all[i] = part;
        }

        return new FlatMembers(all, Array.ConvertAll(plan.Members, member => member.Offset), plan.Type.IsValueType);
    }

    public override int Write(ref FlatOutput output, ref byte start, int room, ref byte variable)
    {
        ref byte owner = ref OwnerIn(ref variable);
        int size = 0;
        for (int i = 0; i < _parts.Length; i++)
        {
            int next = _parts[i].Write(ref output, ref Unsafe.Add(ref start, size), room - size, ref Unsafe.Add(ref owner, _offsets[i]));
            if (next < 0)
            {
                return Below(next);
            }

            size += next;
        }

        return size;
    }

    public override int Read(ref FlatInput input, ref byte start, int room, ref byte variable)
    {
        ref byte owner = ref OwnerIn(ref variable);
        int size = 0;
        for (int i = 0; i < _parts.Length; i++)
        {
            int next = _parts[i].Read(ref input, ref Unsafe.Add(ref start, size), room - size, ref Unsafe.Add(ref owner, _offsets[i]));
            if (next < 0)
            {
                return next;
            }

            size += next;
        }

        return size;
    }

    private ref byte OwnerIn(ref byte variable) =>
        ref _isStruct ? ref variable : ref ObjectMemory.FieldsOf(Unsafe.As<byte, object>(ref variable));
}

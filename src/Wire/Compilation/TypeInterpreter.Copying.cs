using System.Runtime.CompilerServices;
using Wire.Copying;
using Wire.Runtime;
using Wire.Slots;

namespace Wire.Compilation;

/// <content>Copies, from one object to the other.</content>
internal sealed partial class TypeInterpreter
{
    // Copies what a variable holds into another: the members of a value type, or an object.
    internal delegate void ValueCopier(ref GraphCopier copier, ref byte from, ref byte to);

    public Delegate CompileCopier(TypePlan plan)
    {
        FieldOffsets.Find(plan.Type, plan.Members);

        // Then its memory is copied as it is, and after it what may change. In native code, that takes no longer than to make an object;
        // elsewhere, it takes longer than to make one and copy its members.
        bool isWhole = (plan.Type.IsValueType || !RuntimeFeature.IsDynamicCodeSupported) && plan is { IsWhole: true, BasePart: null };
        WireMember[] changing = Array.FindAll(plan.Members, member => !member.Slot.IsImmutable);
        WireMember[] members = isWhole ? changing : plan.Members;
        if (plan.Type.IsValueType)
        {
            return VariableOf(plan.Type).Copier(
                (ref GraphCopier copier, ref byte from, ref byte to) => CopyMembers(ref copier, members, null, ref from, null, ref to),
                isWhole);
        }

        // What holds nothing that changes cannot be reached from inside itself.
        bool isTracked = changing.Length > 0;
        Func<object>? create = isWhole ? null : ObjectFactory.For(plan);
        return VariableOf(plan.Type).Copier(
            (ref GraphCopier copier, ref byte from, ref byte to) =>
            {
                object source = Unsafe.As<byte, object>(ref from), copy = create is null ? ObjectMemory.Clone(source) : create();
                if (isTracked)
                {
                    copier.Track(copy);
                }

                CopyMembers(ref copier, members, source, ref ObjectMemory.FieldsOf(source), copy, ref ObjectMemory.FieldsOf(copy));
                Unsafe.As<byte, object>(ref to) = copy;
            },
            isWhole: false);
    }

    public Delegate CompileCopier(UnionPlan plan)
    {
        UnionLayout layout = plan.Layout;
        IVariable variable = VariableOf(plan.Type);
        if (plan.Type.IsValueType)
        {
            return variable.Copier(
                (ref GraphCopier copier, ref byte from, ref byte to) =>
                {
                    UnionCase union = plan.Cases[layout.NumberOf(null, ref from)];
                    variable.Store(ref to, layout.ModelOf(union));
                    CopyMembers(ref copier, union.Fields, null, ref from, null, ref to);
                },
                isWhole: false);
        }

        return variable.Copier(
            (ref GraphCopier copier, ref byte from, ref byte to) =>
            {
                object source = Unsafe.As<byte, object>(ref from);
                UnionCase union = plan.Cases[layout.NumberOf(source)];
                object copy = layout.ModelOf(union);
                if (union.Fields.Length > 0)
                {
                    copy = ObjectMemory.Clone(copy);
                    CopyMembers(ref copier, union.Fields, source, ref ObjectMemory.FieldsOf(source), copy, ref ObjectMemory.FieldsOf(copy));
                }

                Unsafe.As<byte, object>(ref to) = copy;
            },
            isWhole: false);
    }

    private static void CopyMembers(
        ref GraphCopier copier, WireMember[] members, object? source, ref byte from, object? copy, ref byte to)
    {
        foreach (WireMember member in members)
        {
            copier.Member = member.Number;
            if (member.Offset >= 0)
            {
                int offset = member.Offset;
                member.Slot.CopyAt(ref copier, ref Unsafe.AddByteOffset(ref from, offset), ref Unsafe.AddByteOffset(ref to, offset));
            }
            else if (member.Field is { } field)
            {
                field.SetValue(copy, CopyOf(ref copier, member, source!));
            }
            else
            {
                ((IBasePart)member.Slot).CopyInto(ref copier, source!, copy!);
            }
        }
    }

    private static object? CopyOf(ref GraphCopier copier, WireMember member, object owner) =>
        member.Load(owner) is { } value ? member.Slot.CopyObject(ref copier, value) : null;
}

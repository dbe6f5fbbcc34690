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
        WireMember[] members = plan.Members;
        if (plan.Type.IsValueType)
        {
            bool isWhole = plan.IsWhole;
            WireMember[] changing = isWhole ? Array.FindAll(members, member => !member.Slot.IsImmutable) : members;
            return VariableOf(plan.Type).Copier(
                (ref GraphCopier copier, ref byte from, ref byte to) => CopyMembers(ref copier, changing, null, ref from, null, ref to),
                isWhole);
        }

        Func<object> create = ObjectFactory.For(plan);
        return VariableOf(plan.Type).Copier(
            (ref GraphCopier copier, ref byte from, ref byte to) =>
            {
                object copy = create(), source = Unsafe.As<byte, object>(ref from);
                copier.Track(copy);
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

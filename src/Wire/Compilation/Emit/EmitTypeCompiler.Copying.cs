using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using Wire.Copying;
using Wire.Runtime;
using Wire.Slots;

namespace Wire.Compilation.Emit;

/// <content>Copies, from one object to the other without bytes in between.</content>
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed partial class EmitTypeCompiler
{
    private static readonly FieldInfo MemberOfCopier = typeof(GraphCopier).GetField(nameof(GraphCopier.Member))!;
    private static readonly MethodInfo TrackCopy = typeof(GraphCopier).GetMethod(nameof(GraphCopier.Track))!;

    public Delegate CompileCopier(TypePlan plan)
    {
        MethodCompiler<Delegate> compiler = CopyCompiler(plan.Type);
        ILGenerator il = compiler.IL;
        LocalBuilder copy = il.DeclareLocal(plan.Type);
        bool isWhole = plan.Type.IsValueType && plan.IsWhole;
        if (isWhole)
        {
            il.Emit(OpCodes.Ldarg_2);
        }
        else if (plan.Type.IsValueType)
        {
            il.Emit(OpCodes.Ldloca, copy);
            il.Emit(OpCodes.Initobj, plan.Type);
        }
        else
        {
            compiler.EmitNew(plan);
        }

        if (isWhole || !plan.Type.IsValueType)
        {
            il.Emit(OpCodes.Stloc, copy);
        }

        // What holds nothing but immutable values cannot be reached from inside itself.
        if (!plan.Type.IsValueType && !Array.TrueForAll(plan.Members, member => member.Slot.IsImmutable))
        {
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Ldloc, copy);
            il.Emit(OpCodes.Call, TrackCopy);
        }

        foreach (WireMember member in plan.Members)
        {
            if (member.Field is not { } field)
            {
                SetMember(il, member);
                compiler.EmitConstant(member.Slot);
                il.Emit(OpCodes.Ldarg_1);
                il.Emit(OpCodes.Ldarg_2);
                il.Emit(OpCodes.Ldloc, copy);
                compiler.EmitCall(typeof(IBasePart).GetMethod(nameof(IBasePart.CopyInto))!);
            }
            else if (!isWhole || !member.Slot.IsImmutable)
            {
                il.Emit(plan.Type.IsValueType ? OpCodes.Ldloca : OpCodes.Ldloc, copy);
                EmitCopy(compiler, member, () => il.Emit(plan.Type.IsValueType ? OpCodes.Ldarga : OpCodes.Ldarg, (short)2));
                il.Emit(OpCodes.Stfld, field);
            }
        }

        il.Emit(OpCodes.Ldloc, copy);
        return compiler.Compile();
    }

    public Delegate CompileCopier(UnionPlan plan)
    {
        MethodCompiler<Delegate> compiler = CopyCompiler(plan.Type);
        ILGenerator il = compiler.IL;
        LocalBuilder copy = il.DeclareLocal(plan.Type);
        Action loadTarget = () => il.Emit(plan.Type.IsValueType ? OpCodes.Ldarga : OpCodes.Ldarg, (short)2);
        Action readNumber = () =>
        {
            loadTarget();
            compiler.EmitCall(plan.TagReader);
        };
        Switch(il, readNumber, plan.Cases, union =>
        {
            if (union.Fields.Length > 0)
            {
                Action loadCase = LoadCase(il, plan.Type, union, loadTarget);
                foreach (WireMember field in union.Fields)
                {
                    EmitCopy(compiler, field, loadCase);
                }
            }

            compiler.EmitCall(union.Constructor);
            il.Emit(OpCodes.Stloc, copy);
        });
        il.Emit(OpCodes.Ldloc, copy);
        return compiler.Compile();
    }

    private static MethodCompiler<Delegate> CopyCompiler(Type type) =>
        new($"Copy {type}", typeof(ObjectCopier<>).MakeGenericType(type));

    // Leaves the copy of a member's value on the stack.
    private static void EmitCopy(MethodCompiler<Delegate> compiler, WireMember member, Action loadOwner)
    {
        ILGenerator il = compiler.IL;
        if (member.Slot.IsImmutable)
        {
            loadOwner();
            member.EmitLoad(il);
            return;
        }

        SetMember(il, member);
        Type serializer = typeof(ValueSerializer<>).MakeGenericType(member.Slot.Type);
        compiler.EmitConstant(member.Slot);
        il.Emit(OpCodes.Ldarg_1);
        loadOwner();
        member.EmitLoad(il);
        compiler.EmitCall(serializer.GetMethod(nameof(ValueSerializer<object>.Copy), BindingFlags.Instance | BindingFlags.NonPublic)!);
    }

    private static void SetMember(ILGenerator il, WireMember member)
    {
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldc_I4, member.Number);
        il.Emit(OpCodes.Stfld, MemberOfCopier);
    }
}

using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using Wire.Runtime;
using Wire.Slots;
using Wire.Types;
using Wire.Values;

namespace Wire.Compilation.Emit;

/// <content>The members that are written.</content>
internal sealed partial class EmitTypeCompiler
{
    // Writes the members of an object, and of the objects in it whose variables declare exactly their types.
    [RequiresUnreferencedCode(TrimmingAdvice.Inside)]
    [RequiresDynamicCode(TrimmingAdvice.Inside)]
    private sealed class NestedWriter(MethodCompiler<ObjectWriter> compiler, Type root)
    {
        // So many objects are compiled into the one around them; others have methods of their own.
        private const int MaxNested = 16;

        private static readonly MethodInfo Begin = typeof(NestedObject).GetMethod(nameof(NestedObject.BeginWriting))!;
        private static readonly MethodInfo End = typeof(NestedObject).GetMethod(nameof(NestedObject.EndWriting))!;

        private readonly ILGenerator _il = compiler.IL;
        private readonly Stack<Type> _around = new([root]);
        private readonly TypeBounds _bounds = new(root);
        private int _nested;

        public void WriteMembers(List<MemberOf> members)
        {
            var position = new EmittedPosition<ObjectWriter>(compiler, typeof(WireWriter));
            for (int i = 0; i < members.Count;)
            {
                MemberOf member = members[i];
                if (member.Member.Slot is IFixedSerializer)
                {
                    i += WriteRun(compiler, members, i, position);
                    continue;
                }

                i++;
                if (member.Member.Slot is IWindowSlot { InWindow: { } inWindow })
                {
                    position.LoadState();
                    position.Load();
                    Load(member);
                    _il.Emit(OpCodes.Ldc_I4, member.Member.Number);
                    inWindow.EmitWriteAt(compiler);
                    position.Store();
                    continue;
                }

                position.Return();
                if (_nested < MaxNested && _bounds.Admit(member.Member.Slot.Type)
                    && member.Member.Slot is IObjectSlot { ExactEntry: { Prefix: null } entry } && !_around.Contains(entry.Type))
                {
                    _nested++;
                    WriteObject(member, entry, position);
                    continue;
                }

                position.SetMember(member.Member.Number);
                _il.Emit(OpCodes.Ldarg_1);
                Load(member);
                member.Member.Slot.EmitWriteValue(compiler);
            }

            position.Return();
        }

        private void WriteObject(MemberOf member, TypeEntry entry, EmittedPosition<ObjectWriter> position)
        {
            LocalBuilder value = _il.DeclareLocal(entry.Type);
            Label ordinary = _il.DefineLabel(), end = _il.DefineLabel();
            Load(member);
            _il.Emit(OpCodes.Stloc, value);
            _il.Emit(OpCodes.Ldloc, value);
            _il.Emit(OpCodes.Brfalse, ordinary);
            compiler.BranchUnlessExactly(value, entry.Type, ordinary);
            _il.Emit(OpCodes.Ldarg_1);
            compiler.EmitConstant(entry);
            _il.Emit(OpCodes.Ldc_I4, member.Member.Number);
            compiler.EmitCall(Begin);
            _il.Emit(OpCodes.Brfalse, ordinary);
            WriteContent(entry, value);
            _il.Emit(OpCodes.Ldarg_1);
            compiler.EmitCall(End);
            _il.Emit(OpCodes.Br, end);
            _il.MarkLabel(ordinary);
            position.SetMember(member.Member.Number);
            _il.Emit(OpCodes.Ldarg_1);
            _il.Emit(OpCodes.Ldloc, value);
            member.Member.Slot.EmitWriteValue(compiler);
            _il.MarkLabel(end);
        }

        private void WriteContent(TypeEntry entry, LocalBuilder value)
        {
            if (entry.Serializer is not IMemberwise { Plan: { Callbacks: null, BasePart: null } plan })
            {
                _il.Emit(OpCodes.Ldarg_1);
                _il.Emit(OpCodes.Ldloc, value);
                entry.Serializer.EmitWriteValue(compiler);
                return;
            }

            _around.Push(entry.Type);
            WriteMembers(MembersOf(_il, plan.Members, () => _il.Emit(OpCodes.Ldloc, value)));
            _around.Pop();
        }

        private void Load(MemberOf member)
        {
            member.LoadOwner();
            member.Member.EmitLoad(_il);
        }
    }

    private static int WriteRun(
        MethodCompiler<ObjectWriter> compiler, List<MemberOf> members, int start, EmittedPosition<ObjectWriter> position)
    {
        int run = RunLength(members, start, m => m.Member.Slot is IFixedSerializer { FixedSize: var next } ? next : 0, out int size);
        position.Ensure(size, members[start].Member.Number);
        int offset = 0;
        foreach ((WireMember member, Action loadOwner) in members.GetRange(start, run))
        {
            position.Load(offset);
            loadOwner();
            member.EmitLoad(compiler.IL);
            ((IFixedSerializer)member.Slot).EmitStore(compiler);
            offset += member.Slot.FixedSize;
        }

        position.Advance(size);
        return run;
    }
}

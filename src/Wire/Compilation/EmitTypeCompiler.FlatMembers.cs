using System.Reflection.Emit;
using Wire.Flat;
using Wire.Format;
using Wire.ValueSerializers;

namespace Wire.Compilation;

/// <content>The members of flat objects, of whole ones and of parts.</content>
internal sealed partial class EmitTypeCompiler
{
    // Objects in a flat one are compiled into its code up to this number.
    private const int MaxParts = 32;

    private sealed class FlatMembersWriter(MethodCompiler<ObjectWriter> compiler, Label giveUp)
    {
        private readonly ILGenerator _il = compiler.IL;
        private readonly LocalBuilder _size = compiler.IL.DeclareLocal(typeof(int));

        // The room that no member has been promised: for those that check the room themselves.
        private readonly LocalBuilder _slack = compiler.IL.DeclareLocal(typeof(int));

        private int _parts;

        /// <summary>Emits everything, up to the end of the method.</summary>
        public void Write(TypePlan plan, Action loadTarget)
        {
            _il.Emit(OpCodes.Ldarg_2);
            var position = new FlatPosition(_il);
            Write(plan, loadTarget, position);
            position.LoadSize();
            _il.Emit(OpCodes.Ret);
            _il.MarkLabel(giveUp);
            _il.Emit(OpCodes.Ldc_I4_M1);
        }

        // The room is on the stack.
        private void Write(TypePlan plan, Action loadTarget, FlatPosition position)
        {
            List<MemberOf> members = MembersOf(_il, plan.Members, loadTarget);
            // Another thread may change a member meanwhile: the measured string is the one that is written.
            var texts = new Dictionary<MemberOf, LocalBuilder>();
            _il.Emit(OpCodes.Ldc_I4, members.Sum(member => RoomWithoutText(member.Member.Slot)));
            foreach (MemberOf member in members.Where(member => member.Member.Slot is StringSerializer))
            {
                LocalBuilder text = texts[member] = _il.DeclareLocal(typeof(string));
                Load(member);
                _il.Emit(OpCodes.Stloc, text);
                _il.Emit(OpCodes.Ldloc, text);
                compiler.EmitCall(TextRoom);
                _il.Emit(OpCodes.Add);
            }

            _il.Emit(OpCodes.Sub);
            _il.Emit(OpCodes.Stloc, _slack);
            GiveUpIfNegative(_slack);
            foreach (MemberOf member in members)
            {
                if (member.Member.Slot is IFixedSerializer { } slot)
                {
                    position.Load();
                    Load(member);
                    slot.EmitStore(compiler);
                    position.Advance(slot.FixedSize);
                }
                else if (member.Member.Slot is INullableSerializer { Element: IFixedSerializer element })
                {
                    WriteNullable(member, element, position);
                }
                else if (member.Member.Slot is StringSerializer)
                {
                    WriteText(texts[member], position);
                }
                else if (member.Member.Slot is IFlatVariable { Lead: { } lead, Plan: { } below } && (_parts += 1) <= MaxParts)
                {
                    WriteObject(member, lead, below, position);
                }
                else
                {
                    WritePart(member, position);
                }
            }
        }

        // Null, or an object of exactly the declared type.
        private void WriteObject(MemberOf member, FlatLead lead, TypePlan plan, FlatPosition position)
        {
            LocalBuilder value = _il.DeclareLocal(plan.Type);
            Label isObject = _il.DefineLabel(), end = _il.DefineLabel();
            Load(member);
            _il.Emit(OpCodes.Stloc, value);
            position.Settle();
            _il.Emit(OpCodes.Ldloc, _slack);
            _il.Emit(OpCodes.Ldc_I4_1);
            _il.Emit(OpCodes.Sub);
            _il.Emit(OpCodes.Stloc, _slack);
            GiveUpIfNegative(_slack);
            _il.Emit(OpCodes.Ldloc, value);
            _il.Emit(OpCodes.Brtrue, isObject);
            position.Load();
            _il.Emit(OpCodes.Ldc_I4, (int)Tag.Null);
            _il.Emit(OpCodes.Stind_I1);
            position.Advance(1);
            position.Settle();
            _il.Emit(OpCodes.Br, end);
            _il.MarkLabel(isObject);
            GiveUpUnlessExactly(value);
            compiler.EmitConstant(lead);
            position.Load();
            _il.Emit(OpCodes.Ldloc, _slack);
            _il.Emit(OpCodes.Ldarg_S, (byte)4);
            compiler.EmitCall(typeof(FlatLead).GetMethod(nameof(FlatLead.WriteLead))!);
            _il.Emit(OpCodes.Stloc, _size);
            GiveUpIfNegative(_size);
            position.Advance(_size);
            _il.Emit(OpCodes.Ldloc, _slack);
            _il.Emit(OpCodes.Ldloc, _size);
            _il.Emit(OpCodes.Sub);
            Write(plan, () => _il.Emit(OpCodes.Ldloc, value), position);
            position.Settle();
            _il.MarkLabel(end);
        }

        // The JIT emits one comparison.
        private void GiveUpUnlessExactly(LocalBuilder value)
        {
            _il.Emit(OpCodes.Ldloc, value);
            compiler.EmitCall(typeof(object).GetMethod(nameof(GetType))!);
            _il.Emit(OpCodes.Ldtoken, value.LocalType);
            compiler.EmitCall(typeof(Type).GetMethod(nameof(Type.GetTypeFromHandle))!);
            compiler.EmitCall(typeof(Type).GetMethod("op_Equality")!);
            _il.Emit(OpCodes.Brfalse, giveUp);
        }

        // The maximal number of bytes of a member; of a string, those of its header.
        private static int RoomWithoutText(ValueSerializer slot) =>
            slot is StringSerializer ? FlatText.MaxHeader
            : slot is INullableSerializer { Element: IFixedSerializer element } ? 1 + element.FixedSize
            : KnownSize(slot);

        private void Load(MemberOf member)
        {
            member.LoadOwner();
            member.Member.EmitLoad(_il);
        }

        private void GiveUpIfNegative(LocalBuilder size)
        {
            _il.Emit(OpCodes.Ldloc, size);
            _il.Emit(OpCodes.Ldc_I4_0);
            _il.Emit(OpCodes.Blt, giveUp);
        }

        private void WriteText(LocalBuilder text, FlatPosition position)
        {
            position.Load();
            _il.Emit(OpCodes.Ldloc, text);
            compiler.EmitCall(WriteString);
            _il.Emit(OpCodes.Stloc, _size);
            GiveUpIfNegative(_size);
            position.Advance(_size);
        }

        private void TakeSlack(LocalBuilder size)
        {
            _il.Emit(OpCodes.Ldloc, _slack);
            _il.Emit(OpCodes.Ldloc, size);
            _il.Emit(OpCodes.Sub);
            _il.Emit(OpCodes.Stloc, _slack);
        }

        private void WritePart(MemberOf member, FlatPosition position)
        {
            ValueSerializer slot = member.Member.Slot;
            compiler.EmitConstant(slot);
            position.Load();
            _il.Emit(OpCodes.Ldloc, _slack);
            Load(member);
            _il.Emit(OpCodes.Ldarg_S, (byte)4);
            compiler.EmitCall(FlatMethod(slot, nameof(ValueSerializer<int>.WriteFlat)));
            _il.Emit(OpCodes.Stloc, _size);
            GiveUpIfNegative(_size);
            TakeSlack(_size);
            position.Advance(_size);
        }

        // A byte that says whether there is a value, and the value.
        private void WriteNullable(MemberOf member, IFixedSerializer element, FlatPosition position)
        {
            LocalBuilder value = _il.DeclareLocal(member.Member.Slot.Type);
            Label end = _il.DefineLabel();
            Load(member);
            _il.Emit(OpCodes.Stloc, value);
            position.Load();
            _il.Emit(OpCodes.Ldloca, value);
            compiler.EmitCall(value.LocalType.GetProperty(nameof(Nullable<int>.HasValue))!.GetMethod!);
            _il.Emit(OpCodes.Stind_I1);
            position.Advance(1);
            position.Settle();
            _il.Emit(OpCodes.Ldloca, value);
            compiler.EmitCall(value.LocalType.GetProperty(nameof(Nullable<int>.HasValue))!.GetMethod!);
            _il.Emit(OpCodes.Brfalse, end);
            position.Load();
            _il.Emit(OpCodes.Ldloca, value);
            compiler.EmitCall(value.LocalType.GetMethod(nameof(Nullable<int>.GetValueOrDefault), Type.EmptyTypes)!);
            element.EmitStore(compiler);
            position.Advance(element.FixedSize);
            position.Settle();
            _il.MarkLabel(end);
        }
    }

    private sealed class FlatMembersReader(MethodCompiler<ObjectReader> compiler)
    {
        private readonly ILGenerator _il = compiler.IL;
        private readonly LocalBuilder _rest = compiler.IL.DeclareLocal(typeof(int));
        private readonly LocalBuilder _size = compiler.IL.DeclareLocal(typeof(int));
        private readonly Dictionary<Type, LocalBuilder> _values = [];
        private FlatPosition? _position;

        public Label GiveUp { get; } = compiler.IL.DefineLabel();

        private int _parts;

        /// <summary>Emits the creation and the members; the result loads the object, or the reference to the value type.</summary>
        public Action Read(TypePlan plan)
        {
            // The rest is for characters, nullable values and parts: the other bytes have been checked. A larger object may hold what is
            // not flat, and would be created twice.
            _il.Emit(OpCodes.Ldarg_2);
            int known = KnownSizeOf(plan);
            TakeRest(known);
            _il.Emit(OpCodes.Ldloc, _rest);
            _il.Emit(OpCodes.Ldc_I4, Math.Max(0, FlatBounds.MaxBytes - known));
            _il.Emit(OpCodes.Bgt_Un, GiveUp);
            Action loadTarget = CreateTarget(plan);
            Read(plan, loadTarget, _position = new FlatPosition(_il));
            return loadTarget;
        }

        private int KnownSizeOf(TypePlan plan) =>
            StepsInto(_il, ReadStep.For(plan), () => { }, inPlace: true).Sum(step => KnownSize(step.Step.Serializer));

        // From the value on the stack.
        private void TakeRest(int known)
        {
            _il.Emit(OpCodes.Ldc_I4, known);
            _il.Emit(OpCodes.Sub);
            _il.Emit(OpCodes.Stloc, _rest);
        }

        private void Read(TypePlan plan, Action loadTarget, FlatPosition position)
        {
            foreach (StepInto step in StepsInto(_il, ReadStep.For(plan), loadTarget, inPlace: true))
            {
                if (step.Fixed is { } slot)
                {
                    step.Prepare();
                    position.Load();
                    slot.EmitLoad(compiler);
                    step.Store();
                    position.Advance(slot.FixedSize);
                }
                else if (step.Step.Serializer is INullableSerializer { Element: IFixedSerializer element } nullable)
                {
                    ReadNullable(step, nullable, element, position);
                }
                else if (step.Step.Serializer is StringSerializer)
                {
                    ReadText(step, position);
                }
                else if (step.Step.Serializer is IFlatVariable { Lead: { } lead, Plan: { } below } && (_parts += 1) <= MaxParts)
                {
                    ReadObject(step, lead, below, position);
                }
                else
                {
                    ReadPart(step, step.Step.Serializer!, position);
                }
            }
        }

        // Null, or an object of exactly the declared type.
        private void ReadObject(StepInto step, FlatLead lead, TypePlan plan, FlatPosition position)
        {
            Label isObject = _il.DefineLabel(), end = _il.DefineLabel();
            position.Settle();
            GiveUpUnlessMore();
            position.Load();
            _il.Emit(OpCodes.Ldind_U1);
            _il.Emit(OpCodes.Ldc_I4, (int)Tag.Null);
            _il.Emit(OpCodes.Bne_Un, isObject);
            step.Prepare();
            _il.Emit(OpCodes.Ldnull);
            step.Store();
            TakeFromRest(() => _il.Emit(OpCodes.Ldc_I4_1));
            position.Advance(1);
            position.Settle();
            _il.Emit(OpCodes.Br, end);
            _il.MarkLabel(isObject);
            compiler.EmitConstant(lead);
            position.Load();
            _il.Emit(OpCodes.Ldloc, _rest);
            _il.Emit(OpCodes.Ldarg_S, (byte)4);
            compiler.EmitCall(typeof(FlatLead).GetMethod(nameof(FlatLead.ReadLead))!);
            _il.Emit(OpCodes.Stloc, _size);
            GiveUpIfNegative(_size);
            position.Advance(_size);
            TakeFromRest(() => _il.Emit(OpCodes.Ldloc, _size));
            _il.Emit(OpCodes.Ldloc, _rest);
            TakeRest(KnownSizeOf(plan));
            GiveUpIfNegative(_rest);
            Action loadTarget = compiler.CreateTarget(plan);
            Read(plan, loadTarget, position);
            step.Prepare();
            loadTarget();
            step.Store();
            position.Settle();
            _il.MarkLabel(end);
        }

        private void GiveUpUnlessMore()
        {
            _il.Emit(OpCodes.Ldloc, _rest);
            _il.Emit(OpCodes.Ldc_I4_0);
            _il.Emit(OpCodes.Ble, GiveUp);
        }

        /// <summary>Loads the number of bytes that have been read.</summary>
        public void LoadSize() => _position!.LoadSize();

        public void GiveUpUnlessAllRead()
        {
            _il.Emit(OpCodes.Ldloc, _rest);
            _il.Emit(OpCodes.Brtrue, GiveUp);
        }

        private Action CreateTarget(TypePlan plan)
        {
            if (!plan.Type.IsValueType)
            {
                return compiler.CreateTarget(plan);
            }

            // The caller has zeroed it.
            LocalBuilder target = _il.DeclareLocal(plan.Type.MakeByRefType());
            _il.Emit(OpCodes.Ldarg_3);
            _il.Emit(OpCodes.Stloc, target);
            return () => _il.Emit(OpCodes.Ldloc, target);
        }

        private void GiveUpIfNegative(LocalBuilder size)
        {
            _il.Emit(OpCodes.Ldloc, size);
            _il.Emit(OpCodes.Ldc_I4_0);
            _il.Emit(OpCodes.Blt, GiveUp);
        }

        private void TakeFromRest(Action loadSize)
        {
            _il.Emit(OpCodes.Ldloc, _rest);
            loadSize();
            _il.Emit(OpCodes.Sub);
            _il.Emit(OpCodes.Stloc, _rest);
        }

        private LocalBuilder ValueOf(Type type) =>
            _values.TryGetValue(type, out LocalBuilder? known) ? known : _values[type] = _il.DeclareLocal(type);

        private void ReadText(StepInto step, FlatPosition position)
        {
            LocalBuilder text = ValueOf(typeof(string));
            position.Load();
            _il.Emit(OpCodes.Ldloc, _rest);
            _il.Emit(OpCodes.Ldloca, text);
            compiler.EmitCall(ReadString);
            _il.Emit(OpCodes.Stloc, _size);
            step.Prepare();
            _il.Emit(OpCodes.Ldloc, text);
            step.Store();
            TakeFromRest(() => _il.Emit(OpCodes.Ldloc, _size));
            position.Advance(1);
            GiveUpIfNegative(_size);
            position.Advance(_size);
        }

        private void ReadPart(StepInto step, ValueSerializer slot, FlatPosition position)
        {
            LocalBuilder value = ValueOf(slot.Type);
            compiler.EmitConstant(slot);
            position.Load();
            _il.Emit(OpCodes.Ldloc, _rest);
            _il.Emit(OpCodes.Ldloca, value);
            _il.Emit(OpCodes.Ldarg_S, (byte)4);
            compiler.EmitCall(FlatMethod(slot, nameof(ValueSerializer<int>.ReadFlat)));
            _il.Emit(OpCodes.Stloc, _size);
            GiveUpIfNegative(_size);
            step.Prepare();
            _il.Emit(OpCodes.Ldloc, value);
            step.Store();
            TakeFromRest(() => _il.Emit(OpCodes.Ldloc, _size));
            position.Advance(_size);
        }

        private void ReadNullable(StepInto step, INullableSerializer nullable, IFixedSerializer element, FlatPosition position)
        {
            Label end = _il.DefineLabel();
            _il.Emit(OpCodes.Ldc_I4_0);
            _il.Emit(OpCodes.Stloc, _size);
            position.Load();
            _il.Emit(OpCodes.Ldind_U1);
            position.Advance(1);
            position.Settle();
            _il.Emit(OpCodes.Stloc, _size);
            _il.Emit(OpCodes.Ldloc, _size);
            _il.Emit(OpCodes.Brfalse, end);
            _il.Emit(OpCodes.Ldloc, _size);
            _il.Emit(OpCodes.Ldc_I4_1);
            _il.Emit(OpCodes.Bne_Un, GiveUp);
            TakeFromRest(() => _il.Emit(OpCodes.Ldc_I4, element.FixedSize));
            GiveUpIfNegative(_rest);
            step.Prepare();
            position.Load();
            element.EmitLoad(compiler);
            _il.Emit(OpCodes.Newobj, step.Step.Serializer!.Type.GetConstructor([nullable.Element.Type])!);
            step.Store();
            position.Advance(element.FixedSize);
            position.Settle();
            _il.MarkLabel(end);
        }
    }
}

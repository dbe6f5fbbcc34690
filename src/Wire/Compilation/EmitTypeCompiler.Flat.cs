using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.ValueSerializers;

namespace Wire.Compilation;

/// <content>Flat objects: their members are values of fixed size, nullable or not, and strings, which are usually short.</content>
internal sealed partial class EmitTypeCompiler
{
    /// <summary>The maximal number of bytes of a flat object's members.</summary>
    public const int MaxFlatSize = 4096;

    private static readonly MethodInfo UnsafeAs =
        typeof(Unsafe).GetMethods().Single(method => method.Name == nameof(Unsafe.As) && method.GetGenericArguments().Length == 1);
    private static readonly MethodInfo StringLength = typeof(FlatText).GetMethod(nameof(FlatText.Length))!;
    private static readonly MethodInfo WriteString = typeof(FlatText).GetMethod(nameof(FlatText.Write))!;
    private static readonly MethodInfo ReadString = typeof(FlatText).GetMethod(nameof(FlatText.TryRead))!;

    public FlatWriter? TryCompileFlatWriter(TypePlan plan)
    {
        if (!IsFlat(plan))
        {
            return null;
        }

        var compiler = new MethodCompiler<ObjectWriter>($"Write flat {plan.Type}", typeof(FlatWriter));
        ILGenerator il = compiler.IL;
        Label giveUp = il.DefineLabel();
        LocalBuilder target = il.DeclareLocal(plan.Type);
        EmitExactly(compiler, plan.Type, target, giveUp);
        List<MemberOf> members = MembersOf(il, plan.Members, () => il.Emit(OpCodes.Ldloc, target));
        // Another thread may change a member meanwhile: the measured string is the one that is written.
        var texts = new Dictionary<MemberOf, LocalBuilder>();
        il.Emit(OpCodes.Ldc_I4, members.Sum(member => MostWithoutText(member.Member.Slot)));
        foreach (MemberOf member in members.Where(member => member.Member.Slot is StringSerializer))
        {
            LocalBuilder text = texts[member] = il.DeclareLocal(typeof(string));
            Load(member);
            il.Emit(OpCodes.Stloc, text);
            il.Emit(OpCodes.Ldloc, text);
            compiler.EmitCall(StringLength);
            il.Emit(OpCodes.Add);
        }

        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Bgt, giveUp);
        var position = new FlatPosition(il);
        foreach (MemberOf member in members)
        {
            if (member.Member.Slot is IFixedSerializer { } slot)
            {
                position.Load();
                Load(member);
                slot.EmitStore(compiler);
                position.Advance(slot.FixedSize);
            }
            else if (member.Member.Slot is INullableSerializer nullable)
            {
                WriteNullable(member, nullable);
            }
            else
            {
                position.Load();
                il.Emit(OpCodes.Ldloc, texts[member]);
                compiler.EmitCall(WriteString);
                position.AdvanceOrGiveUp(giveUp);
            }
        }

        position.Load();
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Sub);
        il.Emit(OpCodes.Conv_I4);
        il.Emit(OpCodes.Ret);
        il.MarkLabel(giveUp);
        il.Emit(OpCodes.Ldc_I4_M1);
        return (FlatWriter)compiler.Compile();

        void Load(MemberOf member)
        {
            member.LoadOwner();
            member.Member.EmitLoad(il);
        }

        // A byte that says whether there is a value, and the value.
        void WriteNullable(MemberOf member, INullableSerializer nullable)
        {
            var element = (IFixedSerializer)nullable.Element;
            LocalBuilder value = il.DeclareLocal(member.Member.Slot.Type);
            Label end = il.DefineLabel();
            Load(member);
            il.Emit(OpCodes.Stloc, value);
            position.Load();
            il.Emit(OpCodes.Ldloca, value);
            compiler.EmitCall(value.LocalType.GetProperty(nameof(Nullable<int>.HasValue))!.GetMethod!);
            il.Emit(OpCodes.Stind_I1);
            position.Advance(1);
            position.Settle();
            il.Emit(OpCodes.Ldloca, value);
            compiler.EmitCall(value.LocalType.GetProperty(nameof(Nullable<int>.HasValue))!.GetMethod!);
            il.Emit(OpCodes.Brfalse, end);
            position.Load();
            il.Emit(OpCodes.Ldloca, value);
            compiler.EmitCall(value.LocalType.GetMethod(nameof(Nullable<int>.GetValueOrDefault), Type.EmptyTypes)!);
            element.EmitStore(compiler);
            position.Advance(element.FixedSize);
            position.Settle();
            il.MarkLabel(end);
        }
    }

    public FlatReader? TryCompileFlatReader(TypePlan plan)
    {
        if (!IsFlat(plan))
        {
            return null;
        }

        var compiler = new MethodCompiler<ObjectReader>($"Read flat {plan.Type}", typeof(FlatReader));
        ILGenerator il = compiler.IL;
        Label giveUp = il.DefineLabel();
        LocalBuilder rest = il.DeclareLocal(typeof(int));
        LocalBuilder text = il.DeclareLocal(typeof(string));
        LocalBuilder length = il.DeclareLocal(typeof(int));
        Action? loadTarget = null;
        List<StepInto> steps = StepsInto(il, ReadStep.For(plan), () => loadTarget!(), inPlace: true);

        // The room for characters and nullable values: the rest has been checked.
        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Ldc_I4, steps.Sum(step => Math.Max(1, step.FixedSize)));
        il.Emit(OpCodes.Sub);
        il.Emit(OpCodes.Stloc, rest);
        il.Emit(OpCodes.Ldloc, rest);
        il.Emit(OpCodes.Ldc_I4_0);
        il.Emit(OpCodes.Blt, giveUp);
        loadTarget = compiler.CreateTarget(plan);
        var position = new FlatPosition(il);
        foreach (StepInto step in steps)
        {
            if (step.Fixed is { } slot)
            {
                step.Prepare();
                position.Load();
                slot.EmitLoad(compiler);
                step.Store();
                position.Advance(slot.FixedSize);
            }
            else if (step.Step.Serializer is INullableSerializer nullable)
            {
                ReadNullable(step, nullable);
            }
            else
            {
                position.Load();
                il.Emit(OpCodes.Ldloc, rest);
                il.Emit(OpCodes.Ldloca, text);
                compiler.EmitCall(ReadString);
                il.Emit(OpCodes.Stloc, length);
                step.Prepare();
                il.Emit(OpCodes.Ldloc, text);
                step.Store();
                TakeFromRest(() => il.Emit(OpCodes.Ldloc, length));
                position.Advance(1);
                il.Emit(OpCodes.Ldloc, length);
                position.AdvanceOrGiveUp(giveUp);
            }
        }

        il.Emit(OpCodes.Ldloc, rest);
        il.Emit(OpCodes.Brtrue, giveUp);
        loadTarget();
        il.Emit(OpCodes.Ret);
        il.MarkLabel(giveUp);
        il.Emit(OpCodes.Ldnull);
        return (FlatReader)compiler.Compile();

        void TakeFromRest(Action loadSize)
        {
            il.Emit(OpCodes.Ldloc, rest);
            loadSize();
            il.Emit(OpCodes.Sub);
            il.Emit(OpCodes.Stloc, rest);
        }

        void ReadNullable(StepInto step, INullableSerializer nullable)
        {
            var element = (IFixedSerializer)nullable.Element;
            Label end = il.DefineLabel();
            il.Emit(OpCodes.Ldc_I4_0);
            il.Emit(OpCodes.Stloc, length);
            position.Load();
            il.Emit(OpCodes.Ldind_U1);
            position.Advance(1);
            position.Settle();
            il.Emit(OpCodes.Stloc, length);
            il.Emit(OpCodes.Ldloc, length);
            il.Emit(OpCodes.Brfalse, end);
            il.Emit(OpCodes.Ldloc, length);
            il.Emit(OpCodes.Ldc_I4_1);
            il.Emit(OpCodes.Bne_Un, giveUp);
            TakeFromRest(() => il.Emit(OpCodes.Ldc_I4, element.FixedSize));
            il.Emit(OpCodes.Ldloc, rest);
            il.Emit(OpCodes.Ldc_I4_0);
            il.Emit(OpCodes.Blt, giveUp);
            step.Prepare();
            position.Load();
            element.EmitLoad(compiler);
            il.Emit(OpCodes.Newobj, step.Step.Serializer!.Type.GetConstructor([nullable.Element.Type])!);
            step.Store();
            position.Advance(element.FixedSize);
            position.Settle();
            il.MarkLabel(end);
        }
    }

    // Only then is the required number of bytes known.
    private static bool IsFlat(TypePlan plan) =>
        !plan.Type.IsValueType && plan.HoldsNoObjects && plan.BasePart is null && MaxFlatSizeOf(plan.Members) <= MaxFlatSize;

    private static long MaxFlatSizeOf(WireMember[] members) => members.Sum(member => MaxFlatSizeOf(member.Slot));

    private static long MaxFlatSizeOf(ValueSerializer slot) =>
        slot is StringSerializer ? 1 + StringFormat.MaxShortLength
        : IsFlatPart(slot) ? MostWithoutText(slot)
        : PartOf(slot) is { } part ? MaxFlatSizeOf(part.Plan.Members)
        : int.MaxValue;

    private static bool IsFlatPart(ValueSerializer slot) => slot is IFixedSerializer or INullableSerializer { Element: IFixedSerializer };

    // The maximal number of bytes of a member, without the characters of a string.
    private static int MostWithoutText(ValueSerializer slot) =>
        slot is INullableSerializer { Element: var element } ? 1 + element.FixedSize : Math.Max(1, slot.FixedSize);

    // Exactly the type: the JIT emits one comparison.
    private static void EmitExactly(MethodCompiler<ObjectWriter> compiler, Type type, LocalBuilder target, Label giveUp)
    {
        ILGenerator il = compiler.IL;
        il.Emit(OpCodes.Ldarg_3);
        compiler.EmitCall(typeof(object).GetMethod(nameof(GetType))!);
        il.Emit(OpCodes.Ldtoken, type);
        compiler.EmitCall(typeof(Type).GetMethod(nameof(Type.GetTypeFromHandle))!);
        compiler.EmitCall(typeof(Type).GetMethod("op_Equality")!);
        il.Emit(OpCodes.Brfalse, giveUp);
        il.Emit(OpCodes.Ldarg_3);
        compiler.EmitCall(UnsafeAs.MakeGenericMethod(type));
        il.Emit(OpCodes.Stloc, target);
    }

    // The position in the bytes of a flat object: a local, and a constant distance from it.
    private sealed class FlatPosition
    {
        private readonly ILGenerator _il;
        private readonly LocalBuilder _position;
        private int _offset;

        public FlatPosition(ILGenerator il)
        {
            _il = il;
            _position = il.DeclareLocal(typeof(byte).MakeByRefType());
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Stloc, _position);
        }

        public void Load()
        {
            _il.Emit(OpCodes.Ldloc, _position);
            if (_offset > 0)
            {
                _il.Emit(OpCodes.Ldc_I4, _offset);
                _il.Emit(OpCodes.Add);
            }
        }

        public void Advance(int size) => _offset += size;

        /// <summary>Advances by the value on the stack, or gives up when it is negative.</summary>
        public void AdvanceOrGiveUp(Label giveUp)
        {
            LocalBuilder size = _il.DeclareLocal(typeof(int));
            _il.Emit(OpCodes.Stloc, size);
            _il.Emit(OpCodes.Ldloc, size);
            _il.Emit(OpCodes.Ldc_I4_0);
            _il.Emit(OpCodes.Blt, giveUp);
            Load();
            _il.Emit(OpCodes.Ldloc, size);
            _il.Emit(OpCodes.Add);
            _il.Emit(OpCodes.Stloc, _position);
            _offset = 0;
        }

        /// <summary>Stores the whole position in the local, where control flow branches or joins.</summary>
        public void Settle()
        {
            Load();
            _il.Emit(OpCodes.Stloc, _position);
            _offset = 0;
        }
    }
}

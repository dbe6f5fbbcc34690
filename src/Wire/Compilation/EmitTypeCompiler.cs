using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using Wire.Format;

namespace Wire;

/// <summary>Emits the code of a complex type: members of fixed size that stand together share one check of the buffer.</summary>
internal sealed partial class EmitTypeCompiler : ITypeCompiler
{
    private static readonly MethodInfo Reserve = typeof(WireWriter).GetMethod(nameof(WireWriter.Reserve), BindingFlags.Instance | BindingFlags.NonPublic)!;
    private static readonly MethodInfo Take = typeof(WireReader).GetMethod(nameof(WireReader.Take), BindingFlags.Instance | BindingFlags.NonPublic)!;
    private static readonly MethodInfo Track = typeof(WireReader).GetMethod(nameof(WireReader.Track), BindingFlags.Instance | BindingFlags.NonPublic)!;
    private static readonly FieldInfo WriterMember = typeof(WireWriter).GetField(nameof(WireWriter.Member), BindingFlags.Instance | BindingFlags.NonPublic)!;
    private static readonly FieldInfo ReaderMember = typeof(WireReader).GetField(nameof(WireReader.Member), BindingFlags.Instance | BindingFlags.NonPublic)!;

    public ObjectWriter CompileWriter(TypePlan plan)
    {
        var compiler = new MethodCompiler<ObjectWriter>($"Write {plan.Type}", typeof(WireWriter));
        Action loadTarget = compiler.LoadTarget(plan.Type);
        EmitCallbacks(compiler, plan.Callbacks?.Serializing, loadTarget);
        WriteMembers(compiler, plan.Members, loadTarget);
        if (plan.IsEmpty)
        {
            compiler.IL.Emit(OpCodes.Ldarg_1);
            compiler.IL.Emit(OpCodes.Ldc_I4_0);
            compiler.IL.Emit(OpCodes.Call, typeof(WireWriter).GetMethod(nameof(WireWriter.WriteByte))!);
        }

        EmitCallbacks(compiler, plan.Callbacks?.Serialized, loadTarget);
        return compiler.Compile();
    }

    public ObjectReader CompileReader(TypePlan plan, IReadOnlyList<ReadStep> steps)
    {
        var compiler = new MethodCompiler<ObjectReader>($"Read {plan.Type}", typeof(WireReader));
        ILGenerator il = compiler.IL;
        Action loadTarget = compiler.CreateTarget(plan);
        if (!plan.Type.IsValueType && !plan.ReadsNoObjects(steps))
        {
            il.Emit(OpCodes.Ldarg_1);
            loadTarget();
            il.Emit(OpCodes.Call, Track);
        }

        if (plan.MissingPart(steps) is { } missing)
        {
            compiler.EmitConstant(missing);
            loadTarget();
            compiler.EmitCall(typeof(IBasePart).GetMethod(nameof(IBasePart.ConstructEmpty))!);
        }

        EmitCallbacks(compiler, plan.Callbacks?.Deserializing, loadTarget);
        ReadMembers(compiler, [.. steps], loadTarget, member => il.Emit(OpCodes.Stfld, member.Field!));
        EmitCallbacks(compiler, plan.Callbacks?.Deserialized, loadTarget);
        EmitAfterGraph(il, plan, loadTarget);
        if (!plan.Type.IsValueType)
        {
            il.Emit(OpCodes.Ldarg_2);
            loadTarget();
            il.Emit(OpCodes.Stind_Ref);
        }

        return compiler.Compile();
    }

    // Writes the members of what loadTarget pushes.
    private static void WriteMembers(MethodCompiler<ObjectWriter> compiler, WireMember[] members, Action loadTarget)
    {
        ILGenerator il = compiler.IL;
        for (int i = 0; i < members.Length;)
        {
            int run = RunLength(members.AsSpan(i), m => m.Slot is IFixedSerializer ? m.Slot.FixedSize : 0, out int size);
            if (run == 0)
            {
                WireMember member = members[i++];
                il.Emit(OpCodes.Ldarg_1);
                il.Emit(OpCodes.Ldc_I4, member.Number);
                il.Emit(OpCodes.Stfld, WriterMember);
                il.Emit(OpCodes.Ldarg_1);
                loadTarget();
                member.EmitLoad(il);
                member.Slot.EmitWriteValue(compiler);
                continue;
            }

            LocalBuilder destination = il.DeclareLocal(typeof(byte).MakeByRefType());
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Ldc_I4, size);
            il.Emit(OpCodes.Call, Reserve);
            il.Emit(OpCodes.Stloc, destination);
            int offset = 0;
            foreach (WireMember member in members.AsSpan(i, run))
            {
                compiler.LoadOffset(destination, offset);
                loadTarget();
                member.EmitLoad(il);
                ((IFixedSerializer)member.Slot).EmitStore(compiler);
                offset += member.Slot.FixedSize;
            }

            i += run;
        }
    }

    // Reads members in the writer's order: prepare comes before a value on the evaluation stack, and store takes it.
    private static void ReadMembers(MethodCompiler<ObjectReader> compiler, ReadStep[] all, Action prepare, Action<WireMember> store)
    {
        ILGenerator il = compiler.IL;
        for (int i = 0; i < all.Length;)
        {
            int run = RunLength(all.AsSpan(i), FixedSize, out int size);
            SetMember(il, all[i]);
            if (run == 0)
            {
                ReadOne(compiler, all[i++], prepare, store);
                continue;
            }

            LocalBuilder source = il.DeclareLocal(typeof(byte).MakeByRefType());
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Ldc_I4, size);
            il.Emit(OpCodes.Call, Take);
            il.Emit(OpCodes.Stloc, source);
            int offset = 0;
            foreach (ReadStep step in all.AsSpan(i, run))
            {
                if (step.Member is { } member)
                {
                    if (offset > 0 && ((IFixedSerializer)step.Serializer!).CanFail)
                    {
                        SetMember(il, step);
                    }

                    prepare();
                    compiler.LoadOffset(source, offset);
                    ((IFixedSerializer)step.Serializer!).EmitLoad(compiler);
                    store(member);
                }

                offset += FixedSize(step);
            }

            i += run;
        }
    }

    private static void SetMember(ILGenerator il, ReadStep step)
    {
        if (step.Member is { } member)
        {
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Ldc_I4, member.Number);
            il.Emit(OpCodes.Stfld, ReaderMember);
        }
    }

    private static void ReadOne(MethodCompiler<ObjectReader> compiler, ReadStep step, Action prepare, Action<WireMember> store)
    {
        ILGenerator il = compiler.IL;
        if (step.Member is not { } member)
        {
            il.Emit(OpCodes.Ldarg_1);
            compiler.EmitConstant(step.Skipped!);
            if (step.Above is { } above)
            {
                compiler.EmitConstant(above);
            }
            else
            {
                il.Emit(OpCodes.Ldnull);
            }

            compiler.EmitCall(typeof(Skipper).GetMethod(nameof(Skipper.SkipMember))!);
            return;
        }

        if (member.Source is null)
        {
            compiler.EmitConstant(step.Serializer!);
            il.Emit(OpCodes.Ldarg_1);
            prepare();
            compiler.EmitCall(typeof(IBasePart).GetMethod(nameof(IBasePart.ReadInto))!);
            return;
        }

        prepare();
        il.Emit(OpCodes.Ldarg_1);
        step.Serializer!.EmitReadValue(compiler);
        store(member);
    }

    private static int FixedSize(ReadStep step) =>
        step.Skipped?.FixedSize ?? (step.Serializer is IFixedSerializer fixedSize ? fixedSize.FixedSize : 0);

    // How many of the next members have a fixed size, and how many bytes they take together.
    private static int RunLength<TMember>(ReadOnlySpan<TMember> members, Func<TMember, int> sizeOf, out int size)
    {
        const int MaxRun = 1 << 12;
        size = 0;
        int run = 0;
        while (run < members.Length && sizeOf(members[run]) is > 0 and int next && size + next <= MaxRun)
        {
            size += next;
            run++;
        }

        return run;
    }

    /// <summary>One method that is being emitted: its constants are the first argument.</summary>
    private sealed class MethodCompiler<TDelegate> : ICompiler<TDelegate>
        where TDelegate : Delegate
    {
        private readonly DynamicMethod _method;
        private readonly List<object> _constants = [];

        public MethodCompiler(string name, Type state)
        {
            _method = new DynamicMethod(
                name,
                typeof(void),
                [typeof(object[]), state.MakeByRefType(), typeof(byte).MakeByRefType()],
                typeof(EmitTypeCompiler).Module,
                skipVisibility: true);
            IL = _method.GetILGenerator();
        }

        public ILGenerator IL { get; }

        public void EmitCall(MethodInfo method)
        {
            ArgumentNullException.ThrowIfNull(method);
            IL.Emit(method.IsVirtual ? OpCodes.Callvirt : OpCodes.Call, method);
        }

        public void EmitConstant(object value)
        {
            ArgumentNullException.ThrowIfNull(value);
            int index = _constants.IndexOf(value);
            if (index < 0)
            {
                index = _constants.Count;
                _constants.Add(value);
            }

            IL.Emit(OpCodes.Ldarg_0);
            IL.Emit(OpCodes.Ldc_I4, index);
            IL.Emit(OpCodes.Ldelem_Ref);
        }

        public void LoadOffset(LocalBuilder bytes, int offset)
        {
            IL.Emit(OpCodes.Ldloc, bytes);
            if (offset > 0)
            {
                IL.Emit(OpCodes.Ldc_I4, offset);
                IL.Emit(OpCodes.Add);
            }
        }

        /// <summary>Makes a local of the object, or of a reference to the value type, that the location holds.</summary>
        public Action LoadTarget(Type type)
        {
            LocalBuilder target = Declare(type);
            IL.Emit(OpCodes.Ldarg_2);
            if (!type.IsValueType)
            {
                IL.Emit(OpCodes.Ldind_Ref);
            }

            IL.Emit(OpCodes.Stloc, target);
            return () => IL.Emit(OpCodes.Ldloc, target);
        }

        /// <summary>Makes a local of a new object, or of a reference to the value type at the location, all zero.</summary>
        public Action CreateTarget(TypePlan plan)
        {
            Type type = plan.Type;
            LocalBuilder target = Declare(type);
            if (type.IsValueType)
            {
                IL.Emit(OpCodes.Ldarg_2);
                IL.Emit(OpCodes.Initobj, type);
                IL.Emit(OpCodes.Ldarg_2);
            }
            else if (ObjectFactory.EmptyConstructor(plan) is { } constructor)
            {
                IL.Emit(OpCodes.Newobj, constructor);
            }
            else
            {
                EmitConstant(type);
                EmitCall(typeof(RuntimeHelpers).GetMethod(nameof(RuntimeHelpers.GetUninitializedObject))!);
            }

            IL.Emit(OpCodes.Stloc, target);
            return () => IL.Emit(OpCodes.Ldloc, target);
        }

        public TDelegate Compile()
        {
            IL.Emit(OpCodes.Ret);
            return (TDelegate)_method.CreateDelegate(typeof(TDelegate), _constants.ToArray());
        }

        private LocalBuilder Declare(Type type) => IL.DeclareLocal(type.IsValueType ? type.MakeByRefType() : type);
    }
}

using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using Wire.Manifests;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Skipping;
using Wire.Slots;
using Wire.Types;
using Wire.Unknown;
using Wire.Values;

namespace Wire.Compilation.Emit;

/// <content>The members that are read.</content>
internal sealed partial class EmitTypeCompiler
{
    // Reads the members of an object, and of the objects in it whose variables declare exactly their types.
    [RequiresUnreferencedCode(TrimmingAdvice.Inside)]
    [RequiresDynamicCode(TrimmingAdvice.Inside)]
    private sealed class NestedReader(MethodCompiler<ObjectReader> compiler, Type root)
    {
        // So many objects are compiled into the one around them; others have methods of their own.
        private const int MaxNested = 16;

        private static readonly MethodInfo Begin = typeof(NestedObject).GetMethod(nameof(NestedObject.BeginReading))!;
        private static readonly MethodInfo End = typeof(NestedObject).GetMethod(nameof(NestedObject.EndReading))!;

        private readonly ILGenerator _il = compiler.IL;
        private readonly Stack<Type> _around = new([root]);
        private readonly TypeBounds _bounds = new(root);
        private int _nested;

        /// <summary>Reads the steps in their order, which is the writer's.</summary>
        public void ReadMembers(List<StepInto> steps)
        {
            var position = new EmittedPosition<ObjectReader>(compiler, typeof(WireReader));
            for (int i = 0; i < steps.Count;)
            {
                StepInto step = steps[i];
                if (step.FixedSize > 0)
                {
                    i += ReadRun(steps, i, position);
                    continue;
                }

                i++;
                if (step.Step is { Member: not null, Serializer: IWindowSlot { InWindow: { } inWindow } })
                {
                    LocalBuilder value = compiler.LocalOf(step.Step.Serializer.Type);
                    position.LoadState();
                    position.Load();
                    _il.Emit(OpCodes.Ldc_I4, step.Number);
                    _il.Emit(OpCodes.Ldloca, value);
                    inWindow.EmitReadAt(compiler);
                    position.Store();
                    step.Prepare();
                    _il.Emit(OpCodes.Ldloc, value);
                    step.Store();
                    continue;
                }

                position.Return();
                if (_nested < MaxNested && step.Step.Member is { Field: not null } own && _bounds.Admit(own.Slot.Type)
                    && step.Step.Serializer is IObjectSlot { ExactEntry: { Prefix: null } entry } slot
                    && !_around.Contains(entry.Type))
                {
                    _nested++;
                    ReadObject(step, slot, entry, position);
                    continue;
                }

                ReadOne(step, position);
            }

            position.Return();
        }

        private void ReadObject(StepInto step, IObjectSlot slot, TypeEntry entry, EmittedPosition<ObjectReader> position)
        {
            LocalBuilder begun = _il.DeclareLocal(typeof(int));
            Label content = _il.DefineLabel(), isNull = _il.DefineLabel(), end = _il.DefineLabel();
            _il.Emit(OpCodes.Ldarg_1);
            compiler.EmitConstant(new NestedType(slot, entry));
            _il.Emit(OpCodes.Ldc_I4, step.Number);
            compiler.EmitCall(Begin);
            _il.Emit(OpCodes.Stloc, begun);
            _il.Emit(OpCodes.Ldloc, begun);
            _il.Emit(OpCodes.Ldc_I4, NestedObject.Content);
            _il.Emit(OpCodes.Beq, content);
            _il.Emit(OpCodes.Ldloc, begun);
            _il.Emit(OpCodes.Ldc_I4, NestedObject.Null);
            _il.Emit(OpCodes.Beq, isNull);
            ReadOne(step, position);
            _il.Emit(OpCodes.Br, end);
            _il.MarkLabel(isNull);
            step.Prepare();
            _il.Emit(OpCodes.Ldnull);
            step.Store();
            _il.Emit(OpCodes.Br, end);
            _il.MarkLabel(content);
            LocalBuilder value = ReadContent(entry);
            _il.Emit(OpCodes.Ldarg_1);
            compiler.EmitCall(End);
            step.Prepare();
            _il.Emit(OpCodes.Ldloc, value);
            step.Store();
            _il.MarkLabel(end);
        }

        private LocalBuilder ReadContent(TypeEntry entry)
        {
            LocalBuilder value = _il.DeclareLocal(entry.Type);
            if (entry.Serializer is not IMemberwise { Plan: { Callbacks: null, BasePart: null } plan })
            {
                _il.Emit(OpCodes.Ldarg_1);
                entry.Serializer.EmitReadValue(compiler);
                _il.Emit(OpCodes.Stloc, value);
                return value;
            }

            Action loadTarget = compiler.CreateTarget(plan);
            _around.Push(entry.Type);
            ReadMembers(StepsInto(_il, ReadStep.For(plan), loadTarget, inPlace: true));
            _around.Pop();
            loadTarget();
            _il.Emit(OpCodes.Stloc, value);
            return value;
        }

        private int ReadRun(List<StepInto> steps, int start, EmittedPosition<ObjectReader> position)
        {
            int run = RunLength(steps, start, step => step.FixedSize, out int size);
            List<StepInto> all = steps.GetRange(start, run);
            position.Ensure(size, all.Find(step => step.Step.Member is not null).Step?.Member?.Number ?? GraphPath.Root);
            if (all.Exists(step => step.Fixed is { CanFail: true }))
            {
                position.ReturnBehind(size);
            }

            int offset = 0;
            foreach (StepInto step in all)
            {
                if (step.Fixed is { } serializer)
                {
                    if (serializer.CanFail)
                    {
                        position.SetMember(step.Number);
                    }

                    step.Prepare();
                    position.Load(offset);
                    serializer.EmitLoad(compiler);
                    step.Store();
                }

                offset += step.FixedSize;
            }

            position.Advance(size);
            return run;
        }

        private void ReadOne(StepInto into, EmittedPosition<ObjectReader> position)
        {
            ReadStep step = into.Step;
            if (step.Kept is { } kept)
            {
                _il.Emit(OpCodes.Ldarg_1);
                into.Prepare();
                compiler.EmitConstant(kept);
                compiler.EmitCall(typeof(UnknownReading).GetMethod(nameof(UnknownReading.ReadMember))!);
                return;
            }

            if (step.Member is not { } member)
            {
                _il.Emit(OpCodes.Ldarg_1);
                compiler.EmitConstant(step.Skipped!);
                compiler.EmitCall(typeof(Skipper).GetMethod(nameof(Skipper.SkipMember))!);
                return;
            }

            position.SetMember(member.Number);
            if (member.Field is null)
            {
                compiler.EmitConstant(step.Serializer!);
                _il.Emit(OpCodes.Ldarg_1);
                into.Prepare();
                compiler.EmitCall(typeof(IBasePart).GetMethod(nameof(IBasePart.ReadInto))!);
                return;
            }

            into.Prepare();
            _il.Emit(OpCodes.Ldarg_1);
            step.Serializer!.EmitReadValue(compiler);
            into.Store();
        }
    }
}

using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using Wire.Compilation.Emit;
using Wire.Format;
using Wire.Manifests;
using Wire.Runtime;
using Wire.Slots;
using Wire.Types;

namespace Wire.Compilation.Flat;

/// <summary>
/// The code for members of flat objects in one method that reads them. The bytes that the members of an object take at least are taken from
/// the rest once; text, nullable values and what is below take more of it.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed class FlatReaderCode : FlatCode<ObjectReader>
{
    private static readonly MethodInfo Match = typeof(FlatTypes).GetMethod(nameof(FlatTypes.Match))!;

    private readonly int _sessionArgument;

    /// <summary>The code of a whole message.</summary>
    /// <param name="compiler">The method.</param>
    /// <param name="firstType">The first identifier of a standalone message that is free.</param>
    /// <param name="sessionArgument">The argument that has the session.</param>
    public FlatReaderCode(MethodCompiler<ObjectReader> compiler, int firstType, int sessionArgument)
        : base(compiler, firstType) => _sessionArgument = sessionArgument;

    /// <summary>The code of elements inside a message that counts: null, and long text, are not read.</summary>
    /// <param name="compiler">The method.</param>
    /// <param name="tagArgument">The argument that has the byte that stands for the type of their objects.</param>
    public FlatReaderCode(MethodCompiler<ObjectReader> compiler, byte tagArgument)
        : base(compiler, tagArgument)
    {
    }

    /// <summary>True if members are read over those of an object: text that is equal stays the string that it is.</summary>
    public bool Overwrites;

    /// <summary>Returns the number of bytes of the members at least.</summary>
    public static int MinSizeOf(IEnumerable<ReadStep> steps) => ValueParts.AllSteps(steps).Sum(MinSizeOf);

    /// <summary>Takes the number of all bytes from the evaluation stack.</summary>
    public void StoreRoom(int taken)
    {
        IL.Emit(OpCodes.Ldc_I4, taken);
        IL.Emit(OpCodes.Sub);
        IL.Emit(OpCodes.Stloc, Room);
    }

    public void LeaveIfNegative(LocalBuilder size)
    {
        IL.Emit(OpCodes.Ldloc, size);
        IL.Emit(OpCodes.Ldc_I4_0);
        IL.Emit(OpCodes.Blt, NotFlat);
    }

    /// <summary>Reads members whose bytes have been taken.</summary>
    public void Read(List<EmitTypeCompiler.StepInto> steps, FlatPosition position)
    {
        foreach (EmitTypeCompiler.StepInto step in steps)
        {
            if (step.Step.Skipped is { FixedSize: var skipped })
            {
                position.Advance(skipped);
            }
            else
            {
                Read(step.Step.Serializer!, step.Prepare, step.Store, position, step.Step.Member?.Field);
            }
        }
    }

    /// <summary>Reads an element of a collection.</summary>
    /// <param name="element">Its value serializer.</param>
    /// <param name="first">The local that refers to it.</param>
    /// <param name="position">The position.</param>
    public void ReadElement(ValueSerializer element, LocalBuilder first, FlatPosition position)
    {
        TakeBytes(() => IL.Emit(OpCodes.Ldc_I4, MinSizeOf(element)));
        LeaveIfNegative(Room);
        if (element is IPairSerializer pair && CompiledFlatType.FieldsOf(element) is { } fields)
        {
            if (pair.Key is IWindowSlot { InWindow: not null })
            {
                // Few collections take null as a key: the ordinary reader decides.
                position.Load();
                IL.Emit(OpCodes.Ldind_U1);
                IL.Emit(OpCodes.Brfalse, NotFlat);
            }

            Read(pair.Key, LoadFirst, () => IL.Emit(OpCodes.Stfld, fields.Key), position);
            Read(pair.Value, LoadFirst, () => IL.Emit(OpCodes.Stfld, fields.Value), position);
        }
        else
        {
            Read(element, LoadFirst, () => IL.Emit(OpCodes.Stobj, element.Type), position);
        }

        void LoadFirst() => IL.Emit(OpCodes.Ldloc, first);
    }

    /// <summary>Reads an object that is an element of a collection.</summary>
    /// <param name="plan">Its class.</param>
    /// <param name="steps">The steps for reading it.</param>
    /// <param name="first">The local that refers to the element.</param>
    /// <param name="position">The position.</param>
    public void ReadObject(TypePlan plan, IReadOnlyList<ReadStep> steps, LocalBuilder first, FlatPosition position)
    {
        TakeBytes(() => IL.Emit(OpCodes.Ldc_I4, 1 + MinSizeOf(steps)));
        LeaveIfNegative(Room);
        CompareTag(position);
        Action loadTarget = Overwrites ? TakeTarget(plan.Type, first) : Compiler.CreateTarget(plan);
        Read(EmitTypeCompiler.StepsInto(IL, steps, loadTarget, inPlace: true), position);
        if (!Overwrites)
        {
            IL.Emit(OpCodes.Ldloc, first);
            loadTarget();
            IL.Emit(OpCodes.Stind_Ref);
        }
    }

    // The object that is there, of exactly the type, and that nothing else of the message has been read into.
    private Action TakeTarget(Type type, LocalBuilder first)
    {
        // Of a local of the type, the JIT would take for granted what is asked here.
        LocalBuilder there = IL.DeclareLocal(typeof(object)), target = IL.DeclareLocal(type);
        IL.Emit(OpCodes.Ldloc, first);
        IL.Emit(OpCodes.Ldind_Ref);
        IL.Emit(OpCodes.Stloc, there);
        IL.Emit(OpCodes.Ldloc, there);
        IL.Emit(OpCodes.Brfalse, NotFlat);
        Compiler.BranchUnlessExactly(there, type, NotFlat);
        IL.Emit(OpCodes.Ldloc, there);
        IL.Emit(OpCodes.Stloc, target);
        IL.Emit(OpCodes.Ldarg_1);
        IL.Emit(OpCodes.Ldloc, there);
        Compiler.EmitCall(typeof(Overwriting).GetMethod(nameof(Overwriting.TryTake))!);
        IL.Emit(OpCodes.Brfalse, NotFlat);
        return () => IL.Emit(OpCodes.Ldloc, target);
    }

    private static int MinSizeOf(ReadStep step) => step.Skipped?.FixedSize ?? MinSizeOf(step.Serializer!);

    private static int MinSizeOf(ValueSerializer slot) =>
        slot is IFixedSerializer { FixedSize: var size } ? size
        : slot is IMemberwise { Plan: { Type.IsValueType: true } plan } ? MinSizeOf(ReadStep.For(plan))
        : slot is IPairSerializer pair ? MinSizeOf(pair.Key) + MinSizeOf(pair.Value)
        : 1;

    // The field is that into which what prepare loads is read; null where there is none.
    private void Read(ValueSerializer slot, Action prepare, Action store, FlatPosition position, FieldInfo? field = null)
    {
        if (slot is IFixedSerializer { FixedSize: var size } fixedSlot)
        {
            prepare();
            position.Load();
            fixedSlot.EmitLoad(Compiler);
            store();
            position.Advance(size);
        }
        else if (slot is IWindowSlot { InWindow: { } inWindow })
        {
            LocalBuilder value = Compiler.LocalOf(slot.Type);
            bool keepsText = Overwrites && field is not null;
            if (keepsText)
            {
                prepare();
                IL.Emit(OpCodes.Ldfld, field!);
                IL.Emit(OpCodes.Stloc, value);
            }

            position.Load();
            IL.Emit(OpCodes.Ldloc, Room);
            IL.Emit(OpCodes.Ldloca, value);
            inWindow.EmitReadFlat(Compiler, countsText: TagArgument is not null, keepsText);
            IL.Emit(OpCodes.Stloc, Size);
            LeaveIfNegative(Size);
            prepare();
            IL.Emit(OpCodes.Ldloc, value);
            store();
            TakeBytes(() => IL.Emit(OpCodes.Ldloc, Size));
            position.Advance(1);
            position.Advance(Size);
        }
        else if (slot is IObjectSlot { ExactEntry: { } entry } variable)
        {
            ReadObject(variable, entry, prepare, store, position);
        }
        else
        {
            LocalBuilder value = IL.DeclareLocal(slot.Type);
            if (Overwrites && field is not null)
            {
                prepare();
                IL.Emit(OpCodes.Ldfld, field);
                IL.Emit(OpCodes.Stloc, value);
            }
            else
            {
                IL.Emit(OpCodes.Ldloca, value);
                IL.Emit(OpCodes.Initobj, slot.Type);
            }

            ReadMembers(((IMemberwise)slot).Plan, () => IL.Emit(OpCodes.Ldloca, value), position);
            prepare();
            IL.Emit(OpCodes.Ldloc, value);
            store();
        }
    }

    private void ReadMembers(TypePlan plan, Action loadOwner, FlatPosition position) =>
        Read(EmitTypeCompiler.StepsInto(IL, ReadStep.For(plan), loadOwner, inPlace: true), position);

    // Null, or an object of exactly the declared type; one byte has been taken.
    private void ReadObject(IObjectSlot variable, TypeEntry entry, Action prepare, Action store, FlatPosition position)
    {
        Label isObject = IL.DefineLabel(), end = IL.DefineLabel();
        position.Settle();
        position.Load();
        IL.Emit(OpCodes.Ldind_U1);
        IL.Emit(OpCodes.Ldc_I4, (int)Tag.Null);
        IL.Emit(OpCodes.Bne_Un, isObject);
        if (TagArgument is null)
        {
            prepare();
            IL.Emit(OpCodes.Ldnull);
            store();
            position.Advance(1);
            position.Settle();
            IL.Emit(OpCodes.Br, end);
        }
        else
        {
            IL.Emit(OpCodes.Br, NotFlat);
        }

        IL.MarkLabel(isObject);
        ReadLead(variable, entry, position);
        LocalBuilder value = IL.DeclareLocal(entry.Type);
        if (entry.Serializer is ISequenceSerializer { Element: var element })
        {
            ReadSequence(element, value, position);
        }
        else
        {
            TypePlan plan = ((IMemberwise)entry.Serializer).Plan;
            TakeBytes(() => IL.Emit(OpCodes.Ldc_I4, MinSizeOf(ReadStep.For(plan))));
            LeaveIfNegative(Room);
            Action loadTarget = Compiler.CreateTarget(plan);
            ReadMembers(plan, loadTarget, position);
            loadTarget();
            IL.Emit(OpCodes.Stloc, value);
        }

        prepare();
        IL.Emit(OpCodes.Ldloc, value);
        store();
        position.Settle();
        IL.MarkLabel(end);
    }

    private void ReadLead(IObjectSlot variable, TypeEntry entry, FlatPosition position)
    {
        if (TagArgument is not null)
        {
            CompareTag(position);
            return;
        }

        byte[]? lead = entry.Prefix ?? (entry.HasOwnManifest ? null : [Tag.Declared]);
        if (lead is not null)
        {
            TakeBytes(() => IL.Emit(OpCodes.Ldc_I4, lead.Length - 1));
            LeaveIfNegative(Room);
            FlatBytes.EmitCompare(Compiler, lead, position.Load, NotFlat);
            position.Advance(lead.Length);
            return;
        }

        LocalBuilder tag = TagOf(entry);
        Label isNew = IL.DefineLabel(), end = IL.DefineLabel();
        position.Load();
        IL.Emit(OpCodes.Ldind_U1);
        IL.Emit(OpCodes.Ldloc, tag);
        IL.Emit(OpCodes.Bne_Un, isNew);
        position.Advance(1);
        position.Settle();
        IL.Emit(OpCodes.Br, end);
        IL.MarkLabel(isNew);
        position.Load();
        IL.Emit(OpCodes.Ldloc, Room);
        IL.Emit(OpCodes.Ldc_I4_1);
        IL.Emit(OpCodes.Add);
        Compiler.EmitConstant(new NestedType(variable, entry));
        IL.Emit(OpCodes.Ldarg_S, (byte)_sessionArgument);
        IL.Emit(OpCodes.Ldloca, NextType);
        IL.Emit(OpCodes.Ldloca, tag);
        Compiler.EmitCall(Match);
        IL.Emit(OpCodes.Stloc, Size);
        LeaveIfNegative(Size);
        TakeBytes(() =>
        {
            IL.Emit(OpCodes.Ldloc, Size);
            IL.Emit(OpCodes.Ldc_I4_1);
            IL.Emit(OpCodes.Sub);
        });
        position.Advance(Size);
        IL.MarkLabel(end);
    }

    private void ReadSequence(ValueSerializer element, LocalBuilder value, FlatPosition position)
    {
        LocalBuilder first = IL.DeclareLocal(element.Type.MakeByRefType()), count = IL.DeclareLocal(typeof(int));
        TakeBytes(() => IL.Emit(OpCodes.Ldc_I4_1));
        LeaveIfNegative(Room);
        position.Load();
        IL.Emit(OpCodes.Ldloc, Room);
        IL.Emit(OpCodes.Ldc_I4, MinSizeOf(element));
        IL.Emit(OpCodes.Ldloca, count);
        Compiler.EmitCall(FlatSequences.LoadCount);
        IL.Emit(OpCodes.Stloc, Size);
        LeaveIfNegative(Size);
        TakeBytes(() =>
        {
            IL.Emit(OpCodes.Ldloc, Size);
            IL.Emit(OpCodes.Ldloc, count);
            IL.Emit(OpCodes.Ldc_I4, MinSizeOf(element));
            IL.Emit(OpCodes.Mul);
            IL.Emit(OpCodes.Add);
        });
        position.Advance(1);
        position.Advance(Size);
        FlatSequences.EmitCreate(Compiler, value.LocalType, element.Type, count);
        IL.Emit(OpCodes.Stloc, value);
        FlatSequences.EmitOpen(Compiler, value, element.Type, first, count);
        if (element is IFixedSerializer { CanFail: false, FixedSize: var size })
        {
            LocalBuilder bytes = IL.DeclareLocal(typeof(int));
            IL.Emit(OpCodes.Ldloc, count);
            IL.Emit(OpCodes.Ldc_I4, size);
            IL.Emit(OpCodes.Mul);
            IL.Emit(OpCodes.Stloc, bytes);
            IL.Emit(OpCodes.Ldloc, first);
            position.Load();
            IL.Emit(OpCodes.Ldloc, bytes);
            IL.Emit(OpCodes.Unaligned, (byte)1);
            IL.Emit(OpCodes.Cpblk);
            position.Advance(bytes);
            return;
        }

        FlatSequences.EmitLoop(IL, first, count, element.Type, () =>
        {
            Read(element, () => IL.Emit(OpCodes.Ldloc, first), () => IL.Emit(OpCodes.Stobj, element.Type), position);
            position.Settle();
        });
    }

    private void CompareTag(FlatPosition position)
    {
        position.Load();
        IL.Emit(OpCodes.Ldind_U1);
        IL.Emit(OpCodes.Ldarg_S, TagArgument!.Value);
        IL.Emit(OpCodes.Bne_Un, NotFlat);
        position.Advance(1);
    }

    private void TakeBytes(Action loadSize)
    {
        IL.Emit(OpCodes.Ldloc, Room);
        loadSize();
        IL.Emit(OpCodes.Sub);
        IL.Emit(OpCodes.Stloc, Room);
    }
}

using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using Wire.Compilation.Emit;
using Wire.Flat;
using Wire.Format;
using Wire.Runtime;
using Wire.Slots;
using Wire.Types;
using Wire.Values;

namespace Wire.Compilation.Flat;

/// <summary>
/// The code for members of flat objects in one method that writes them. The room for members of fixed size and text is taken once for each
/// object, that for others from what is left.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed class FlatWriterCode : FlatCode<ObjectWriter>
{
    private static readonly MethodInfo Length = typeof(FlatText).GetMethod(nameof(FlatText.Length))!;
    private static readonly MethodInfo Define = typeof(FlatTypes).GetMethod(nameof(FlatTypes.Define))!;

    private readonly int _knownArgument;

    /// <summary>The code of a whole message.</summary>
    /// <param name="compiler">The method.</param>
    /// <param name="firstType">The first identifier of a standalone message that is free.</param>
    /// <param name="knownArgument">The argument that has the types of a session.</param>
    public FlatWriterCode(MethodCompiler<ObjectWriter> compiler, int firstType, int knownArgument)
        : base(compiler, firstType)
    {
        _knownArgument = knownArgument;
        TooLittle = IL.DefineLabel();
    }

    /// <summary>The code of elements inside a message that counts: null, and long text, are not flat.</summary>
    /// <param name="compiler">The method.</param>
    /// <param name="tagArgument">The argument that has the byte that stands for the type of their objects.</param>
    public FlatWriterCode(MethodCompiler<ObjectWriter> compiler, byte tagArgument)
        : base(compiler, tagArgument) => TooLittle = IL.DefineLabel();

    /// <summary>The destination of jumps where there is too little room.</summary>
    public Label TooLittle { get; }

    /// <summary>
    /// Loads the texts of an object once: another thread may change a member meanwhile, and the measured text is the one that is written.
    /// </summary>
    public List<Member> LoadTexts(List<EmitTypeCompiler.MemberOf> members) => members.ConvertAll(member =>
    {
        void Load()
        {
            member.LoadOwner();
            member.Member.EmitLoad(IL);
        }

        return new Member(member.Member.Slot, member.Member.Slot is ValueSerializer<string> ? Loaded(Load) : null, Load);
    });

    /// <summary>Adds the maximal number of bytes of the members of fixed size and text to the number on the evaluation stack.</summary>
    public void AddRoom(List<Member> members)
    {
        IL.Emit(OpCodes.Ldc_I4, members.Sum(member => RoomOf(member.Slot)));
        IL.Emit(OpCodes.Add);
        foreach (Member member in members.Where(member => member.Text is not null))
        {
            IL.Emit(OpCodes.Ldloc, member.Text!);
            Compiler.EmitCall(Length);
            IL.Emit(OpCodes.Ldc_I4_1);
            IL.Emit(OpCodes.Shl);
            IL.Emit(OpCodes.Add);
        }
    }

    /// <summary>Writes an element of a collection.</summary>
    /// <param name="element">Its value serializer.</param>
    /// <param name="first">The local that refers to it.</param>
    /// <param name="position">The position.</param>
    public void WriteElement(ValueSerializer element, LocalBuilder first, FlatPosition position)
    {
        List<Member> members = element is IPairSerializer pair && CompiledFlatType.FieldsOf(element) is { } fields
            ? [Of(pair.Key, fields.Key), Of(pair.Value, fields.Value)]
            : [new(element, element is ValueSerializer<string> ? Loaded(LoadElement) : null, LoadElement)];
        TakeRoomOf(members);
        Write(members, position);

        void LoadElement()
        {
            IL.Emit(OpCodes.Ldloc, first);
            IL.Emit(OpCodes.Ldobj, element.Type);
        }

        Member Of(ValueSerializer slot, FieldInfo field)
        {
            void Load()
            {
                IL.Emit(OpCodes.Ldloc, first);
                IL.Emit(OpCodes.Ldfld, field);
            }

            return new(slot, slot is ValueSerializer<string> ? Loaded(Load) : null, Load);
        }
    }

    /// <summary>Writes members whose room has been taken.</summary>
    public void Write(List<Member> members, FlatPosition position)
    {
        foreach (Member member in members)
        {
            if (member.Slot is IFixedSerializer slot)
            {
                position.Load();
                member.Load();
                slot.EmitStore(Compiler);
                position.Advance(slot.FixedSize);
            }
            else if (member.Slot is IWindowSlot { InWindow: { } inWindow })
            {
                position.Load();
                if (member.Text is { } text)
                {
                    IL.Emit(OpCodes.Ldloc, text);
                }
                else
                {
                    member.Load();
                }

                inWindow.EmitWriteFlat(Compiler);
                IL.Emit(OpCodes.Stloc, Size);
                position.Advance(Size);
            }
            else if (member.Slot is IObjectSlot { ExactEntry: { } entry })
            {
                WriteObject(entry, member.Load, position);
            }
            else
            {
                WriteValueType(member, position);
            }
        }
    }

    /// <summary>Writes an object that is an element of a collection.</summary>
    /// <param name="plan">Its members.</param>
    /// <param name="first">The local that refers to the element.</param>
    /// <param name="position">The position.</param>
    public void WriteObject(TypePlan plan, LocalBuilder first, FlatPosition position)
    {
        LocalBuilder value = IL.DeclareLocal(typeof(object)), target = IL.DeclareLocal(plan.Type);
        IL.Emit(OpCodes.Ldloc, first);
        IL.Emit(OpCodes.Ldind_Ref);
        IL.Emit(OpCodes.Stloc, value);
        IL.Emit(OpCodes.Ldloc, value);
        IL.Emit(OpCodes.Brfalse, NotFlat);
        Compiler.BranchUnlessExactly(value, plan.Type, NotFlat);
        IL.Emit(OpCodes.Ldloc, value);
        IL.Emit(OpCodes.Stloc, target);
        TakeRoom(() => IL.Emit(OpCodes.Ldc_I4_1));
        StoreByte(position, () => IL.Emit(OpCodes.Ldarg_S, TagArgument!.Value));
        WriteMembers(plan, () => IL.Emit(OpCodes.Ldloc, target), position);
    }

    // For objects, their tag of one byte.
    private static int RoomOf(ValueSerializer slot) =>
        slot is IFixedSerializer { FixedSize: var size } ? size
        : (slot as IWindowSlot)?.InWindow?.MaxFlatSize ?? (slot is IObjectSlot ? 1 : 0);

    private LocalBuilder Loaded(Action load)
    {
        LocalBuilder text = IL.DeclareLocal(typeof(string));
        load();
        IL.Emit(OpCodes.Stloc, text);
        return text;
    }

    // A value type that is not compiled into its owner, or that is an element.
    private void WriteValueType(Member member, FlatPosition position)
    {
        LocalBuilder value = IL.DeclareLocal(member.Slot.Type);
        member.Load();
        IL.Emit(OpCodes.Stloc, value);
        WriteMembers(((IMemberwise)member.Slot).Plan, () => IL.Emit(OpCodes.Ldloca, value), position);
    }

    private void WriteMembers(TypePlan plan, Action loadOwner, FlatPosition position)
    {
        List<Member> members = LoadTexts(EmitTypeCompiler.MembersOf(IL, plan.Members, loadOwner));
        TakeRoomOf(members);
        Write(members, position);
    }

    private void TakeRoomOf(List<Member> members)
    {
        foreach (Member member in members.Where(member => member.Text is not null && TagArgument is not null))
        {
            IL.Emit(OpCodes.Ldloc, member.Text!);
            Compiler.EmitCall(Length);
            IL.Emit(OpCodes.Ldc_I4, StringFormat.MaxShortLength);
            IL.Emit(OpCodes.Bgt, NotFlat);
        }

        TakeRoom(() =>
        {
            IL.Emit(OpCodes.Ldc_I4_0);
            AddRoom(members);
        });
    }

    // Null, or an object of exactly the declared type; room for one byte has been taken.
    private void WriteObject(TypeEntry entry, Action load, FlatPosition position)
    {
        LocalBuilder value = IL.DeclareLocal(entry.Type);
        Label isObject = IL.DefineLabel(), end = IL.DefineLabel();
        load();
        IL.Emit(OpCodes.Stloc, value);
        position.Settle();
        IL.Emit(OpCodes.Ldloc, value);
        IL.Emit(OpCodes.Brtrue, isObject);
        if (TagArgument is null)
        {
            StoreByte(position, () => IL.Emit(OpCodes.Ldc_I4, (int)Tag.Null));
            position.Settle();
            IL.Emit(OpCodes.Br, end);
        }
        else
        {
            IL.Emit(OpCodes.Br, NotFlat);
        }

        IL.MarkLabel(isObject);
        Compiler.BranchUnlessExactly(value, entry.Type, NotFlat);
        WriteLead(entry, position);
        if (entry.Serializer is ISequenceSerializer { Element: var element })
        {
            WriteSequence(element, value, position);
        }
        else
        {
            WriteMembers(((IMemberwise)entry.Serializer).Plan, () => IL.Emit(OpCodes.Ldloc, value), position);
        }

        position.Settle();
        IL.MarkLabel(end);
    }

    private void WriteLead(TypeEntry entry, FlatPosition position)
    {
        if (TagArgument is { } argument)
        {
            StoreByte(position, () => IL.Emit(OpCodes.Ldarg_S, argument));
            return;
        }

        if (entry.Prefix is { } prefix)
        {
            TakeRoom(() => IL.Emit(OpCodes.Ldc_I4, prefix.Length - 1));
            FlatBytes.EmitStore(Compiler, prefix, position.Load);
            position.Advance(prefix.Length);
            return;
        }

        if (!entry.HasOwnManifest)
        {
            StoreByte(position, () => IL.Emit(OpCodes.Ldc_I4, (int)Tag.Declared));
            return;
        }

        LocalBuilder tag = TagOf(entry);
        Label isKnown = IL.DefineLabel(), end = IL.DefineLabel();
        IL.Emit(OpCodes.Ldloc, tag);
        IL.Emit(OpCodes.Brtrue, isKnown);
        position.Load();
        IL.Emit(OpCodes.Ldloc, Room);
        IL.Emit(OpCodes.Ldc_I4_1);
        IL.Emit(OpCodes.Add);
        Compiler.EmitConstant(entry);
        IL.Emit(OpCodes.Ldarg_S, (byte)_knownArgument);
        IL.Emit(OpCodes.Ldloca, NextType);
        IL.Emit(OpCodes.Ldloca, tag);
        Compiler.EmitCall(Define);
        IL.Emit(OpCodes.Stloc, Size);
        IL.Emit(OpCodes.Ldloc, Size);
        IL.Emit(OpCodes.Ldc_I4, FlatType.NotFlat);
        IL.Emit(OpCodes.Beq, NotFlat);
        IL.Emit(OpCodes.Ldloc, Size);
        IL.Emit(OpCodes.Ldc_I4_0);
        IL.Emit(OpCodes.Blt, TooLittle);
        TakeRoom(() =>
        {
            IL.Emit(OpCodes.Ldloc, Size);
            IL.Emit(OpCodes.Ldc_I4_1);
            IL.Emit(OpCodes.Sub);
        });
        position.Advance(Size);
        IL.Emit(OpCodes.Br, end);
        IL.MarkLabel(isKnown);
        StoreByte(position, () => IL.Emit(OpCodes.Ldloc, tag));
        position.Settle();
        IL.MarkLabel(end);
    }

    // A count of one or two bytes, and the elements.
    private void WriteSequence(ValueSerializer element, LocalBuilder collection, FlatPosition position)
    {
        LocalBuilder first = IL.DeclareLocal(element.Type.MakeByRefType()), count = IL.DeclareLocal(typeof(int));
        FlatSequences.EmitOpen(Compiler, collection, element.Type, first, count);
        TakeRoom(() => IL.Emit(OpCodes.Ldc_I4, FlatCount.MaxSize));
        IL.Emit(OpCodes.Ldloc, count);
        IL.Emit(OpCodes.Ldc_I4, FlatBounds.MaxBytes);
        IL.Emit(OpCodes.Bgt_Un, NotFlat);
        position.Load();
        IL.Emit(OpCodes.Ldloc, count);
        Compiler.EmitCall(FlatSequences.StoreCount);
        IL.Emit(OpCodes.Stloc, Size);
        position.Advance(Size);
        if (element is IFixedSerializer { CanFail: false, FixedSize: var size })
        {
            LocalBuilder bytes = IL.DeclareLocal(typeof(int));
            IL.Emit(OpCodes.Ldloc, count);
            IL.Emit(OpCodes.Ldc_I4, size);
            IL.Emit(OpCodes.Mul);
            IL.Emit(OpCodes.Stloc, bytes);
            TakeRoom(() => IL.Emit(OpCodes.Ldloc, bytes));
            position.Load();
            IL.Emit(OpCodes.Ldloc, first);
            IL.Emit(OpCodes.Ldloc, bytes);
            IL.Emit(OpCodes.Unaligned, (byte)1);
            IL.Emit(OpCodes.Cpblk);
            position.Advance(bytes);
            return;
        }

        FlatSequences.EmitLoop(IL, first, count, element.Type, () =>
        {
            WriteElement(element, first, position);
            position.Settle();
        });
    }

    private void TakeRoom(Action loadSize)
    {
        IL.Emit(OpCodes.Ldloc, Room);
        loadSize();
        IL.Emit(OpCodes.Sub);
        IL.Emit(OpCodes.Stloc, Room);
        IL.Emit(OpCodes.Ldloc, Room);
        IL.Emit(OpCodes.Ldc_I4_0);
        IL.Emit(OpCodes.Blt, TooLittle);
    }

    private void StoreByte(FlatPosition position, Action load)
    {
        position.Load();
        load();
        IL.Emit(OpCodes.Stind_I1);
        position.Advance(1);
    }

    /// <summary>A member, or an element of a collection.</summary>
    /// <param name="Slot">Its value serializer.</param>
    /// <param name="Text">The local that holds it, if it is text.</param>
    /// <param name="Load">Pushes its value.</param>
    internal sealed record Member(ValueSerializer Slot, LocalBuilder? Text, Action Load);
}

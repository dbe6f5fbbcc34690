using System.Reflection;
using System.Reflection.Emit;
using Wire.Format;
using Wire.Sessions;
using Wire.ValueSerializers;

namespace Wire.Compilation;

/// <content>
/// Members, one after the other: adjacent ones of fixed size share one check of the window, and from one member to the next the position
/// stays in a local. Value types without objects are compiled into the enclosing type.
/// </content>
internal sealed partial class EmitTypeCompiler
{
    private const int MaxRun = 1 << 12;

    // More members than this are compiled into a separate method, so that no method grows too large.
    private const int MaxPart = 64;

    // A member to write: its value is loaded from the owner that LoadOwner pushes.
    private readonly record struct MemberOf(WireMember Member, Action LoadOwner);

    // A step of reading: Prepare pushes before the value on the evaluation stack, and Store consumes both.
    private readonly record struct StepInto(ReadStep Step, Action Prepare, Action Store)
    {
        public IFixedSerializer? Fixed => Step.Serializer as IFixedSerializer;

        public int FixedSize => Step.Skipped?.FixedSize ?? Fixed?.FixedSize ?? 0;

        public int Number => Step.Member?.Number ?? GraphPath.Root;
    }

    private static List<MemberOf> MembersOf(ILGenerator il, WireMember[] members, Action loadOwner)
    {
        var all = new List<MemberOf>();
        foreach (WireMember member in members)
        {
            if (member.Field is { } field && PartOf(member.Slot) is { } part)
            {
                all.AddRange(MembersOf(il, part.Plan.Members, () => LoadPart(il, loadOwner, field)));
            }
            else
            {
                all.Add(new MemberOf(member, loadOwner));
            }
        }

        return all;
    }

    private static List<StepInto> StepsInto(ILGenerator il, IEnumerable<ReadStep> steps, Action loadOwner, bool inPlace)
    {
        var all = new List<StepInto>();
        foreach (ReadStep step in steps)
        {
            if (inPlace && step.Member?.Field is { } field && PartOf(step.Serializer!) is { } part)
            {
                all.AddRange(StepsInto(il, part.Steps, () => LoadPart(il, loadOwner, field), inPlace));
            }
            else
            {
                all.Add(new StepInto(step, loadOwner, () => il.Emit(OpCodes.Stfld, step.Member!.Field!)));
            }
        }

        return all;
    }

    private static void LoadPart(ILGenerator il, Action loadOwner, FieldInfo field)
    {
        loadOwner();
        il.Emit(OpCodes.Ldflda, field);
    }

    // The members of a value type that is compiled into its owner; null when it is compiled separately.
    private static IMemberwise? PartOf(ValueSerializer serializer) =>
        serializer is IMemberwise { Plan: { IsEmpty: false, Type.IsValueType: true } } part
            && serializer.HoldsNoObjects
            && Count(part) <= MaxPart
            ? part
            : null;

    private static int Count(IMemberwise type) =>
        Math.Max(1, type.Steps.Sum(step => step.Serializer is IMemberwise { Plan.Type.IsValueType: true } part ? Count(part) : 1));

    private static void WriteMembers(MethodCompiler<ObjectWriter> compiler, List<MemberOf> members)
    {
        ILGenerator il = compiler.IL;
        var position = new EmittedPosition<ObjectWriter>(compiler, typeof(WireWriter));
        for (int i = 0; i < members.Count;)
        {
            (WireMember member, Action loadOwner) = members[i];
            if (member.Slot is IFixedSerializer)
            {
                i += WriteRun(compiler, members, i, position);
                continue;
            }

            i++;
            if (member.Slot.InWindow is { } inWindow)
            {
                position.LoadState();
                position.Load();
                loadOwner();
                member.EmitLoad(il);
                il.Emit(OpCodes.Ldc_I4, member.Number);
                inWindow.EmitWriteAt(compiler);
                position.Store();
                continue;
            }

            position.Return();
            position.SetMember(member.Number);
            il.Emit(OpCodes.Ldarg_1);
            loadOwner();
            member.EmitLoad(il);
            member.Slot.EmitWriteValue(compiler);
        }

        position.Return();
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

    // In the writer's order.
    private static void ReadMembers(MethodCompiler<ObjectReader> compiler, List<StepInto> steps)
    {
        ILGenerator il = compiler.IL;
        var position = new EmittedPosition<ObjectReader>(compiler, typeof(WireReader));
        var values = new Dictionary<Type, LocalBuilder>();
        for (int i = 0; i < steps.Count;)
        {
            StepInto step = steps[i];
            if (step.FixedSize > 0)
            {
                i += ReadRun(compiler, steps, i, position);
                continue;
            }

            i++;
            if (step.Step is { Member: not null, Serializer.InWindow: { } inWindow })
            {
                Type type = step.Step.Serializer.Type;
                LocalBuilder value = values.TryGetValue(type, out LocalBuilder? known) ? known : values[type] = il.DeclareLocal(type);
                position.LoadState();
                position.Load();
                il.Emit(OpCodes.Ldc_I4, step.Number);
                il.Emit(OpCodes.Ldloca, value);
                inWindow.EmitReadAt(compiler);
                position.Store();
                step.Prepare();
                il.Emit(OpCodes.Ldloc, value);
                step.Store();
                continue;
            }

            position.Return();
            ReadOne(compiler, step, position);
        }

        position.Return();
    }

    private static int ReadRun(
        MethodCompiler<ObjectReader> compiler, List<StepInto> steps, int start, EmittedPosition<ObjectReader> position)
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

    private static void ReadOne(MethodCompiler<ObjectReader> compiler, StepInto into, EmittedPosition<ObjectReader> position)
    {
        ILGenerator il = compiler.IL;
        ReadStep step = into.Step;
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

        position.SetMember(member.Number);
        if (member.Source is null)
        {
            compiler.EmitConstant(step.Serializer!);
            il.Emit(OpCodes.Ldarg_1);
            into.Prepare();
            compiler.EmitCall(typeof(IBasePart).GetMethod(nameof(IBasePart.ReadInto))!);
            return;
        }

        into.Prepare();
        il.Emit(OpCodes.Ldarg_1);
        step.Serializer!.EmitReadValue(compiler);
        into.Store();
    }

    // The number of next members with a fixed size, and their total number of bytes.
    private static int RunLength<TMember>(List<TMember> members, int start, Func<TMember, int> sizeOf, out int size)
    {
        size = 0;
        int end = start;
        while (end < members.Count && sizeOf(members[end]) is > 0 and int next && (end == start || size + next <= MaxRun))
        {
            size += next;
            end++;
        }

        return end - start;
    }
}

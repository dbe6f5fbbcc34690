using System.Reflection;
using System.Reflection.Emit;
using Wire.Slots;
using Wire.Values;

namespace Wire.Compilation.Emit;

/// <content>Unions: a switch over the case; fields are loaded and passed through locals to the constructor, without
/// boxing.</content>
internal sealed partial class EmitTypeCompiler
{
    private static readonly MethodInfo WriteNumber = typeof(WireWriter).GetMethod(nameof(WireWriter.WriteVarUInt32))!;
    private static readonly MethodInfo ReadCase = typeof(UnionFormat).GetMethod(nameof(UnionFormat.ReadCase))!;
    private static readonly MethodInfo UnknownCase = typeof(UnionFormat).GetMethod(nameof(UnionFormat.UnknownCase))!;
    private static readonly MethodInfo NullCase = typeof(UnionFormat).GetMethod(nameof(UnionFormat.NullCase))!;

    public Delegate CompileWriter(UnionPlan plan)
    {
        var compiler =
            new MethodCompiler<ObjectWriter>($"Write {plan.Type}", plan.Type.IsValueType ? typeof(ObjectWriter) : typeof(BodyWriter));
        ILGenerator il = compiler.IL;
        Action loadTarget = compiler.LoadTarget(plan.Type);
        LocalBuilder number = il.DeclareLocal(typeof(int));
        loadTarget();
        compiler.EmitCall(plan.TagReader);
        il.Emit(OpCodes.Stloc, number);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldloc, number);
        il.Emit(OpCodes.Call, WriteNumber);
        Switch(il, () => il.Emit(OpCodes.Ldloc, number), plan.Cases, union =>
        {
            if (union.Fields.Length > 0)
            {
                new NestedWriter(compiler, plan.Type).WriteMembers(MembersOf(il, union.Fields, LoadCase(il, plan.Type, union, loadTarget)));
            }
        });
        return compiler.Compile();
    }

    public Delegate CompileReader(UnionPlan plan, IReadOnlyList<CaseStep> cases)
    {
        var compiler =
            new MethodCompiler<ObjectReader>($"Read {plan.Type}", plan.Type.IsValueType ? typeof(ObjectReader) : typeof(BodyReader));
        ILGenerator il = compiler.IL;
        var locals = new List<LocalBuilder>();
        LocalBuilder? result = plan.Type.IsValueType ? null : il.DeclareLocal(plan.Type);
        Action readNumber = () =>
        {
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Ldc_I4, cases.Count);
            il.Emit(OpCodes.Call, ReadCase);
        };
        Switch(il, readNumber, cases, step =>
        {
            if (step.Case is { IsNull: false } union)
            {
                ReadFields(compiler, result, union, step.Steps, locals);
            }
            else
            {
                compiler.EmitConstant(step.Name);
                compiler.EmitConstant(plan.Type);
                compiler.EmitCall(step.Case is null ? UnknownCase : NullCase);
            }
        });
        if (result is not null)
        {
            il.Emit(OpCodes.Ldloc, result);
        }

        return compiler.Compile();
    }

    private static void Switch<TCase>(ILGenerator il, Action loadNumber, IReadOnlyList<TCase> cases, Action<TCase> emit)
    {
        Label[] labels = [.. cases.Select(_ => il.DefineLabel())];
        Label end = il.DefineLabel();
        loadNumber();
        il.Emit(OpCodes.Switch, labels);

        // Unreachable: a value has one of the cases, and a number that is read is checked.
        il.Emit(OpCodes.Br, end);
        for (int i = 0; i < labels.Length; i++)
        {
            il.MarkLabel(labels[i]);
            emit(cases[i]);
            il.Emit(OpCodes.Br, end);
        }

        il.MarkLabel(end);
    }

    // The fields may belong to a class that derives from the union.
    private static Action LoadCase(ILGenerator il, Type type, UnionCase union, Action loadTarget)
    {
        Type home = union.Fields[0].Field!.DeclaringType!;
        if (home == type)
        {
            return loadTarget;
        }

        LocalBuilder target = il.DeclareLocal(home);
        loadTarget();
        il.Emit(OpCodes.Castclass, home);
        il.Emit(OpCodes.Stloc, target);
        return () => il.Emit(OpCodes.Ldloc, target);
    }

    private static void ReadFields(
        MethodCompiler<ObjectReader> compiler, LocalBuilder? result, UnionCase union, ReadStep[] steps, List<LocalBuilder> locals)
    {
        ILGenerator il = compiler.IL;
        var arguments = new Dictionary<WireMember, LocalBuilder>(ReferenceEqualityComparer.Instance);
        foreach ((WireMember field, ParameterInfo parameter) in union.Fields.Zip(union.Constructor.GetParameters()))
        {
            arguments.Add(field, Local(il, parameter.ParameterType, arguments.Values, locals));
        }

        foreach ((WireMember field, LocalBuilder local) in arguments)
        {
            if (!Array.Exists(steps, step => ReferenceEquals(step.Member, field)))
            {
                // The writer had no such field, and the local may hold a field of another case.
                il.Emit(OpCodes.Ldloca, local);
                il.Emit(OpCodes.Initobj, local.LocalType);
            }
        }

        new NestedReader(compiler, union.Constructor.DeclaringType!).ReadMembers(
            [.. steps.Select(step => new StepInto(step, () => { }, () => il.Emit(OpCodes.Stloc, arguments[step.Member!])))]);
        if (result is null)
        {
            il.Emit(OpCodes.Ldarg_2);
        }

        foreach (WireMember field in union.Fields)
        {
            il.Emit(OpCodes.Ldloc, arguments[field]);
        }

        compiler.EmitCall(union.Constructor);
        if (result is null)
        {
            il.Emit(OpCodes.Stobj, union.Constructor.ReturnType);
        }
        else
        {
            il.Emit(OpCodes.Stloc, result);
        }
    }

    // Cases share locals, so that a union with many cases need not clear many.
    private static LocalBuilder Local(ILGenerator il, Type type, IEnumerable<LocalBuilder> taken, List<LocalBuilder> locals)
    {
        if (locals.Except(taken).FirstOrDefault(local => local.LocalType == type) is { } free)
        {
            return free;
        }

        LocalBuilder made = il.DeclareLocal(type);
        locals.Add(made);
        return made;
    }
}

using System.Reflection;
using Wire.Format;

namespace Wire;

/// <content>Unions, field by field through reflection.</content>
internal sealed partial class ReflectionTypeCompiler
{
    public ObjectWriter CompileWriter(UnionPlan plan)
    {
        IVariable variable = VariableOf(plan.Type);
        return (ref WireWriter writer, ref byte location) =>
        {
            object target = variable.Load(ref location);
            int number = (int)(plan.TagReader.IsStatic ? Call(plan.TagReader, null, [target]) : Call(plan.TagReader, target, null))!;
            writer.WriteVarUInt32((uint)number);
            foreach (WireMember field in plan.Cases[number].Fields)
            {
                writer.Member = field.Number;
                field.Slot.WriteObject(ref writer, field.Load(target)!);
            }
        };
    }

    public ObjectReader CompileReader(UnionPlan plan, IReadOnlyList<CaseStep> cases)
    {
        IVariable variable = VariableOf(plan.Type);
        return (ref WireReader reader, ref byte location) =>
        {
            CaseStep step = cases[(int)UnionFormat.ReadCase(ref reader, cases.Count)];
            if (step.Case is not { } union)
            {
                UnionFormat.UnknownCase(step.Name, plan.Type);
                return;
            }

            if (union.IsNull)
            {
                UnionFormat.NullCase(step.Name, plan.Type);
            }

            variable.Store(ref location, Call(union.Constructor, null, ReadFields(ref reader, union, step.Steps))!);
        };
    }

    private static object? Call(MethodInfo method, object? target, object?[]? arguments) =>
        method.Invoke(target, BindingFlags.DoNotWrapExceptions, binder: null, arguments, culture: null);

    private static object?[] ReadFields(ref WireReader reader, UnionCase union, ReadStep[] steps)
    {
        var arguments = new object?[union.Fields.Length];
        foreach (ReadStep step in steps)
        {
            if (step.Member is { } field)
            {
                reader.Member = field.Number;
                arguments[Array.IndexOf(union.Fields, field)] = step.Serializer!.ReadObject(ref reader);
            }
            else
            {
                Skipper.SkipMember(ref reader, step.Skipped!, step.Above);
            }
        }

        return arguments;
    }
}

using System.Reflection;
using Wire.Skipping;
using Wire.Slots;
using Wire.Values;

namespace Wire.Compilation;

/// <content>Unions, field by field through reflection.</content>
internal sealed partial class TypeInterpreter
{
    public Delegate CompileWriter(UnionPlan plan)
    {
        BodyWriter write = (ref writer, target) =>
        {
            int number = plan.NumberOf(target);
            writer.WriteVarUInt32((uint)number);
            foreach (WireMember field in plan.Cases[number].Fields)
            {
                writer.Member = field.Number;
                field.Slot.WriteObject(ref writer, field.Load(target)!);
            }
        };
        if (!plan.Type.IsValueType)
        {
            return write;
        }

        IVariable variable = VariableOf(plan.Type);
        return (ObjectWriter)((ref writer, ref location) => write(ref writer, variable.Load(ref location)));
    }

    public Delegate CompileReader(UnionPlan plan, IReadOnlyList<CaseStep> cases)
    {
        BodyReader read = (ref reader) =>
        {
            CaseStep step = cases[(int)UnionFormat.ReadCase(ref reader, cases.Count)];
            if (step.Case is not { } union)
            {
                UnionFormat.UnknownCase(step.Name, plan.Type);
                return null!;
            }

            if (union.IsNull)
            {
                UnionFormat.NullCase(step.Name, plan.Type);
            }

            return Call(union.Constructor, null, ReadFields(ref reader, union, step.Steps))!;
        };
        if (!plan.Type.IsValueType)
        {
            return read;
        }

        IVariable variable = VariableOf(plan.Type);
        return (ObjectReader)((ref reader, ref location) => variable.Store(ref location, read(ref reader)));
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
                Skipper.SkipMember(ref reader, step.Skipped!);
            }
        }

        return arguments;
    }
}

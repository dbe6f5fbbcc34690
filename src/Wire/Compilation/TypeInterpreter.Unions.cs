using Wire.Runtime;
using Wire.Slots;
using Wire.Values;

namespace Wire.Compilation;

/// <content>Unions: the fields of each case where they lie in its values.</content>
internal sealed partial class TypeInterpreter
{
    public Delegate CompileWriter(UnionPlan plan)
    {
        UnionLayout layout = plan.Layout;
        if (!plan.Type.IsValueType)
        {
            return (BodyWriter)((ref WireWriter writer, object target) => Write(ref writer, target, ref ObjectMemory.FieldsOf(target)));
        }

        return (ObjectWriter)((ref WireWriter writer, ref byte location) => Write(ref writer, null, ref location));

        void Write(ref WireWriter writer, object? target, ref byte fields)
        {
            int number = layout.NumberOf(target, ref fields);
            writer.WriteVarUInt32((uint)number);
            WriteMembers(ref writer, null, layout.FieldsOf(plan.Cases[number]), target, ref fields);
        }
    }

    public Delegate CompileReader(UnionPlan plan, IReadOnlyList<CaseStep> cases)
    {
        UnionLayout layout = plan.Layout;
        if (!plan.Type.IsValueType)
        {
            return (BodyReader)((ref WireReader reader) =>
            {
                CaseStep step = ReadCase(ref reader, plan, cases);
                object value = layout.ModelOf(step.Case!);
                if (step.Case!.Fields.Length > 0)
                {
                    value = ObjectMemory.Clone(value);
                }

                ReadMembers(ref reader, null, step.Steps, value, ref ObjectMemory.FieldsOf(value));
                return value;
            });
        }

        IVariable variable = VariableOf(plan.Type);
        return (ObjectReader)((ref WireReader reader, ref byte location) =>
        {
            CaseStep step = ReadCase(ref reader, plan, cases);
            variable.Store(ref location, layout.ModelOf(step.Case!));
            ReadMembers(ref reader, null, step.Steps, null, ref location);
        });
    }

    private static CaseStep ReadCase(ref WireReader reader, UnionPlan plan, IReadOnlyList<CaseStep> cases)
    {
        CaseStep step = cases[(int)UnionFormat.ReadCase(ref reader, cases.Count)];
        if (step.Case is not { } union)
        {
            UnionFormat.UnknownCase(step.Name, plan.Type);
        }
        else if (union.IsNull)
        {
            UnionFormat.NullCase(step.Name, plan.Type);
        }

        return step;
    }
}

using System.Diagnostics.CodeAnalysis;
using Wire.Copying;
using Wire.Runtime;
using Wire.Slots;

namespace Wire.Compilation;

/// <content>Copies, member by member through reflection.</content>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed partial class ReflectionTypeCompiler
{
    internal delegate object BodyCopier(ref GraphCopier copier, object value);

    public Delegate CompileCopier(TypePlan plan)
    {
        Func<object> create = ObjectFactory.For(plan);
        return Copier(plan.Type, (ref GraphCopier copier, object value) =>
        {
            object copy = create();
            if (!plan.Type.IsValueType)
            {
                copier.Track(copy);
            }

            foreach (WireMember member in plan.Members)
            {
                copier.Member = member.Number;
                if (member.Field is { } field)
                {
                    field.SetValue(copy, CopyOf(ref copier, member, value));
                }
                else
                {
                    ((IBasePart)member.Slot).CopyInto(ref copier, value, copy);
                }
            }

            return copy;
        });
    }

    public Delegate CompileCopier(UnionPlan plan) => Copier(plan.Type, (ref GraphCopier copier, object value) =>
    {
        UnionCase union = plan.Cases[plan.NumberOf(value)];
        var fields = new object?[union.Fields.Length];
        for (int i = 0; i < fields.Length; i++)
        {
            copier.Member = union.Fields[i].Number;
            fields[i] = CopyOf(ref copier, union.Fields[i], value);
        }

        return Call(union.Constructor, null, fields)!;
    });

    private static object? CopyOf(ref GraphCopier copier, WireMember member, object owner) =>
        member.Load(owner) is { } value ? member.Slot.CopyObject(ref copier, value) : null;

    private static Delegate Copier(Type type, BodyCopier copy) =>
        ((ITyped)ClosedTypes.Create(typeof(Typed<>), [type])).Wrap(copy);

    internal interface ITyped
    {
        Delegate Wrap(BodyCopier copy);
    }

    internal sealed class Typed<T> : ITyped
    {
        public Delegate Wrap(BodyCopier copy) => (ObjectCopier<T>)((ref GraphCopier copier, T value) => (T)copy(ref copier, value!));
    }
}

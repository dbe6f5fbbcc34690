using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Compilation.Emit;
using Wire.Runtime;
using Wire.Skipping;
using Wire.Slots;
using Wire.Unknown;

namespace Wire.Compilation;

/// <summary>
/// The twin of <see cref="EmitTypeCompiler"/> for platforms without dynamic code: the same bytes, member by member through reflection.
/// </summary>
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed partial class ReflectionTypeCompiler : ITypeCompiler
{
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
    internal interface IVariable
    {
        object Load(ref byte location);

        void Store(ref byte location, object value);
    }

    public Delegate CompileWriter(TypePlan plan)
    {
        return Writer(plan.Type, (ref WireWriter writer, object target) =>
        {
            SerializationCallbacks.Call(plan.Callbacks?.Serializing ?? [], target);
            foreach (WireMember member in plan.Members)
            {
                writer.Member = member.Number;
                member.Slot.WriteObject(ref writer, member.Load(target)!);
            }

            if (plan.IsEmpty)
            {
                writer.WriteByte(0);
            }

            SerializationCallbacks.Call(plan.Callbacks?.Serialized ?? [], target);
        });
    }

    public Delegate CompileReader(TypePlan plan, IReadOnlyList<ReadStep> steps)
    {
        Func<object> create = ObjectFactory.For(plan, plan.ConstructorFor(steps));
        IBasePart? missing = plan.MissingPart(steps);
        // Needed only in a payload that numbers its objects.
        var tracks = new Lazy<bool>(() => !plan.Type.IsValueType && !plan.ReadsNoObjects(steps), LazyThreadSafetyMode.PublicationOnly);
        return Reader(plan.Type, (ref WireReader reader) =>
        {
            object target = create();
            if (reader.Session.IsTracking && tracks.Value)
            {
                reader.Track(target);
            }

            if (missing is not null)
            {
                IBasePart.ConstructMissing(ref reader, target, missing);
            }

            SerializationCallbacks.Call(plan.Callbacks?.Deserializing ?? [], target);

            foreach (ReadStep step in steps)
            {
                if (step.Member is { } member)
                {
                    reader.Member = member.Number;
                    if (member.Field is { } field)
                    {
                        field.SetValue(target, step.Serializer!.ReadObject(ref reader));
                    }
                    else
                    {
                        ((IBasePart)step.Serializer!).ReadInto(ref reader, target);
                    }
                }
                else if (step.Kept is { } kept)
                {
                    UnknownReading.ReadMember(ref reader, target, kept);
                }
                else
                {
                    Skipper.SkipMember(ref reader, step.Skipped!);
                }
            }

            SerializationCallbacks.Call(plan.Callbacks?.Deserialized ?? [], target);
            if (plan.Callbacks is { IsAfterGraph: true })
            {
                var callback = (System.Runtime.Serialization.IDeserializationCallback)target;
                if (plan.Type.IsValueType)
                {
                    callback.OnDeserialization(null);
                }
                else
                {
                    reader.Session.CallAfterGraph(callback);
                }
            }

            return target;
        });
    }

    private static Delegate Writer(Type type, BodyWriter write)
    {
        if (!type.IsValueType)
        {
            return write;
        }

        IVariable variable = VariableOf(type);
        return (ObjectWriter)((ref WireWriter writer, ref byte location) => write(ref writer, variable.Load(ref location)));
    }

    private static Delegate Reader(Type type, BodyReader read)
    {
        if (!type.IsValueType)
        {
            return read;
        }

        IVariable variable = VariableOf(type);
        return (ObjectReader)((ref WireReader reader, ref byte location) => variable.Store(ref location, read(ref reader)));
    }

    private static IVariable VariableOf(Type type) => (IVariable)ClosedTypes.Create(typeof(Variable<>), [type]);

    internal sealed class Variable<T> : IVariable
    {
        public object Load(ref byte location) => Unsafe.As<byte, T>(ref location)!;

        public void Store(ref byte location, object value) => Unsafe.As<byte, T>(ref location) = (T)value;
    }
}

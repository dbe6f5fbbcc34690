using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using Wire.Compilation.Emit;
using Wire.Runtime;
using Wire.Skipping;
using Wire.Slots;
using Wire.Unknown;

namespace Wire.Compilation;

/// <summary>
/// The twin of <see cref="EmitTypeCompiler"/> that emits nothing, for platforms without dynamic code and for first values: the same bytes,
/// member by member, each where it lies in the object.
/// </summary>
[RequiresDynamicCode(TrimmingAdvice.Inside)]
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed partial class TypeInterpreter : ITypeCompiler
{
    // What takes a value type out of its variable, and puts it back.
    internal interface IVariable
    {
        object Load(ref byte location);

        void Store(ref byte location, object? value);

        Delegate Copier(ValueCopier copy, bool isWhole);
    }

    public Delegate CompileWriter(TypePlan plan)
    {
        ObjectWriter? generated = plan.Generated?.Write;
        WireMember[] members = plan.Members;
        if (generated is null)
        {
            FieldOffsets.Find(plan.Type, members);
        }

        if (!plan.Type.IsValueType)
        {
            // A row that makes other objects is found where the first payload is written, and not by its readers.
            plan.Row?.Creation();
            if (generated is not null && plan.Callbacks is null)
            {
                return (BodyWriter)((ref WireWriter writer, object target) =>
                    generated(ref writer, ref Unsafe.As<object, byte>(ref target)));
            }

            return (BodyWriter)((ref WireWriter writer, object target) =>
            {
                SerializationCallbacks.Call(plan.Callbacks?.Serializing, target);
                WriteMembers(ref writer, generated, members, target, ref ObjectMemory.FieldsOf(target));
                SerializationCallbacks.Call(plan.Callbacks?.Serialized, target);
            });
        }

        IVariable variable = VariableOf(plan.Type);
        return (ObjectWriter)((ref WireWriter writer, ref byte location) =>
        {
            Call(plan.Callbacks?.Serializing, variable, ref location);
            WriteMembers(ref writer, generated, members, null, ref location);
            if (plan.IsEmpty)
            {
                writer.WriteByte(0);
            }

            Call(plan.Callbacks?.Serialized, variable, ref location);
        });
    }

    public Delegate CompileReader(TypePlan plan, IReadOnlyList<ReadStep> steps)
    {
        ReadStep[] each = [.. steps];
        ObjectReader? generated = plan.Generated is { } code && plan.AreOwn(each) ? code.Read : null;
        if (generated is null)
        {
            FieldOffsets.Find(plan.Type, plan.Members);
        }

        ConstructorInfo? constructor = plan.ConstructorFor(steps);
        if (plan.Type.IsValueType)
        {
            IVariable variable = VariableOf(plan.Type);
            return (ObjectReader)((ref WireReader reader, ref byte location) =>
            {
                variable.Store(ref location, constructor?.Invoke(BindingFlags.DoNotWrapExceptions, binder: null, null, culture: null));
                Call(plan.Callbacks?.Deserializing, variable, ref location);
                ReadMembers(ref reader, generated, each, null, ref location);
                Call(plan.Callbacks?.Deserialized, variable, ref location);
                if (plan.Callbacks is { IsAfterGraph: true })
                {
                    object box = variable.Load(ref location);
                    ((IDeserializationCallback)box).OnDeserialization(null);
                    variable.Store(ref location, box);
                }
            });
        }

        Func<object> create = ObjectFactory.For(plan, constructor);
        IBasePart? missing = plan.MissingPart(steps);
        // Needed only in a payload that numbers its objects.
        var tracks = new Lazy<bool>(() => !plan.ReadsNoObjects(steps), LazyThreadSafetyMode.PublicationOnly);
        if (generated is not null && plan.Callbacks is null)
        {
            return plan.Generated!.Objects(create, tracks);
        }

        return (BodyReader)((ref WireReader reader) =>
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

            SerializationCallbacks.Call(plan.Callbacks?.Deserializing, target);
            ReadMembers(ref reader, generated, each, target, ref ObjectMemory.FieldsOf(target));
            SerializationCallbacks.Call(plan.Callbacks?.Deserialized, target);
            if (plan.Callbacks is { IsAfterGraph: true })
            {
                reader.Session.CallAfterGraph((IDeserializationCallback)target);
            }

            return target;
        });
    }

    // Generated code takes the variable: of a class, the one that holds the object.
    private static void WriteMembers(
        ref WireWriter writer, ObjectWriter? generated, WireMember[] members, object? target, ref byte fields)
    {
        if (generated is not null)
        {
            generated(ref writer, ref target is null ? ref fields : ref Unsafe.As<object, byte>(ref target));
            return;
        }

        foreach (WireMember member in members)
        {
            writer.Member = member.Number;
            if (member.Offset >= 0)
            {
                member.Slot.WriteAt(ref writer, ref Unsafe.AddByteOffset(ref fields, member.Offset));
            }
            else
            {
                member.Slot.WriteObject(ref writer, member.Load(target!)!);
            }
        }
    }

    private static void ReadMembers(ref WireReader reader, ObjectReader? generated, ReadStep[] steps, object? target, ref byte fields)
    {
        if (generated is not null)
        {
            generated(ref reader, ref target is null ? ref fields : ref Unsafe.As<object, byte>(ref target));
            return;
        }

        foreach (ReadStep step in steps)
        {
            if (step.Member is not { } member)
            {
                Pass(ref reader, step, target);
                continue;
            }

            reader.Member = member.Number;
            if (member.Offset >= 0)
            {
                step.Serializer!.ReadAt(ref reader, ref Unsafe.AddByteOffset(ref fields, member.Offset));
            }
            else if (member.Field is { } field)
            {
                field.SetValue(target, step.Serializer!.ReadObject(ref reader));
            }
            else
            {
                ((IBasePart)step.Serializer!).ReadInto(ref reader, target!);
            }
        }
    }

    private static void Pass(ref WireReader reader, ReadStep step, object? target)
    {
        if (step.Kept is { } kept)
        {
            UnknownReading.ReadMember(ref reader, target!, kept);
        }
        else
        {
            Skipper.SkipMember(ref reader, step.Skipped!);
        }
    }

    // The box is what the methods see and change.
    private static void Call(MethodInfo[]? methods, IVariable variable, ref byte location)
    {
        if (methods is { Length: > 0 })
        {
            object box = variable.Load(ref location);
            SerializationCallbacks.Call(methods, box);
            variable.Store(ref location, box);
        }
    }

    private static IVariable VariableOf(Type type) => (IVariable)ClosedTypes.Create(typeof(Variable<>), [type]);

    internal sealed class Variable<T> : IVariable
    {
        public object Load(ref byte location) => Unsafe.As<byte, T>(ref location)!;

        public void Store(ref byte location, object? value) => Unsafe.As<byte, T>(ref location) = value is null ? default! : (T)value;

        public Delegate Copier(ValueCopier copy, bool isWhole) => (Copying.ObjectCopier<T>)((ref Copying.GraphCopier copier, T value) =>
        {
            T made = isWhole ? value : default!;
            copy(ref copier, ref Unsafe.As<T, byte>(ref value), ref Unsafe.As<T, byte>(ref made));
            return made;
        });
    }
}

using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using Wire.Runtime;
using Wire.Skipping;
using Wire.Slots;

namespace Wire.Compilation;

/// <summary>
/// Reads the members of an object, or of a value type, over those that it has: a member that is an object is read into that where it may
/// be, and text that is equal stays the string that it is. What no member of the writer fills is as in a new object, or stays.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed class ObjectOverwriter
{
    private readonly TypePlan _plan;
    private readonly ReadStep[] _steps;

    // The fields that no step fills, with what is in those of a new object, unless that is made by code of the program.
    private readonly (FieldInfo Field, object? Empty)[] _others;
    private readonly Func<object>? _create;

    // Needed only in a payload that numbers its objects.
    private readonly Lazy<bool> _tracks;

    private ObjectOverwriter(TypePlan plan, ReadStep[] steps, List<FieldInfo> others)
    {
        _plan = plan;
        _steps = steps;
        _others = [.. others.Select(field => (field, EmptyOf(field.FieldType)))];
        _create = others.Count == 0 ? null
            : plan.ConstructorFor(steps) is { } constructor ? ObjectFactory.For(plan, constructor)
            : plan.Row?.Creation();
        _tracks = new Lazy<bool>(() => !plan.ReadsNoObjects(steps), LazyThreadSafetyMode.PublicationOnly);
    }

    /// <summary>Gets whether an object can change: the program may share one that cannot.</summary>
    public bool IsChangeable { get; private init; }

    /// <summary>Gets whether each field of an object is a member that is read, and each of the value types in it.</summary>
    public bool FillsAll => _others.Length == 0 && Array.TrueForAll(_steps, IsFilled);

    /// <summary>Makes what reads the steps; null where they can only be read into a new object.</summary>
    public static ObjectOverwriter? TryCreate(TypePlan plan, IReadOnlyList<ReadStep> steps)
    {
        if (plan.BasePart is not null || plan.IsEmpty || (plan.Type.IsValueType && plan.Callbacks is not null))
        {
            return null;
        }

        FieldOffsets.Find(plan.Type, plan.Members);
        if (steps.Any(step => step.Kept is not null || step.Member is { Field: null } or { Offset: < 0 }))
        {
            return null;
        }

        FieldInfo[] fields = [.. FieldsOf(plan.Type)];
        List<FieldInfo> others = [.. fields.Where(field => !steps.Any(step => step.Member is { } member && IsSame(member.Field!, field)))];
        return plan.Type.IsValueType && others.Count > 0
            ? null
            : new ObjectOverwriter(plan, [.. steps], others) { IsChangeable = Array.Exists(fields, field => !field.IsInitOnly) };
    }

    /// <summary>Reads an object into another.</summary>
    public void Read(ref WireReader reader, object target)
    {
        if (reader.Session.IsTracking && _tracks.Value)
        {
            reader.Track(target);
        }

        if (_others.Length > 0 && !reader.Session.Overwritten!.KeepsMissing)
        {
            Empty(target);
        }

        SerializationCallbacks.Call(_plan.Callbacks?.Deserializing, target);
        ReadMembers(ref reader, ref ObjectMemory.FieldsOf(target));
        SerializationCallbacks.Call(_plan.Callbacks?.Deserialized, target);
        if (_plan.Callbacks is { IsAfterGraph: true })
        {
            reader.Session.CallAfterGraph((IDeserializationCallback)target);
        }
    }

    /// <summary>
    /// Reads the members over those of a value type, or of an object, which begin there. Of a value type that cannot change, the objects
    /// may be shared by the whole program, as those of an object that cannot.
    /// </summary>
    public void ReadMembers(ref WireReader reader, ref byte fields)
    {
        bool isOwner = IsChangeable || !_plan.Type.IsValueType;
        foreach (ReadStep step in _steps)
        {
            if (step.Member is { } member)
            {
                reader.Member = member.Number;
                ref byte field = ref Unsafe.AddByteOffset(ref fields, member.Offset);
                if (isOwner || step.Serializer!.IsImmutable)
                {
                    step.Serializer!.ReadOver(ref reader, ref field);
                }
                else
                {
                    step.Serializer.ReadAt(ref reader, ref field);
                }
            }
            else
            {
                Skipper.SkipMember(ref reader, step.Skipped!);
            }
        }
    }

    private static bool IsFilled(ReadStep step) => step.Serializer is not IMemberwise { Plan: { Type.IsValueType: true } plan } part
        || (TryCreate(plan, part.Steps) is { FillsAll: true });

    private void Empty(object target)
    {
        object? made = _create?.Invoke();
        foreach ((FieldInfo field, object? empty) in _others)
        {
            field.SetValue(target, made is null ? empty : field.GetValue(made));
        }
    }

    // Of a nullable type, .NET would make what is in it.
    private static object? EmptyOf(Type type) =>
        type.IsValueType && Nullable.GetUnderlyingType(type) is null ? RuntimeHelpers.GetUninitializedObject(type) : null;

    private static IEnumerable<FieldInfo> FieldsOf(Type type)
    {
        for (Type? level = type; level is not null; level = level.BaseType)
        {
            foreach (FieldInfo field in level.GetFields(MemberFinder.DeclaredInstance))
            {
                yield return field;
            }
        }
    }

    // One of a base class is another FieldInfo where it is asked of the derived class.
    private static bool IsSame(FieldInfo x, FieldInfo y) => x.Name == y.Name && x.DeclaringType == y.DeclaringType;
}

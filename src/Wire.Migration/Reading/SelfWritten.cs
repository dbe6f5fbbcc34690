using System.Diagnostics.CodeAnalysis;
using System.Formats.Nrbf;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using Wire.Compilation;
using Wire.Errors;
using Wire.OptIn;
using Wire.Runtime;

// The interfaces and constructors of formatters are obsolete because formatters created any type; here the filter decides.
#pragma warning disable SYSLIB0050

namespace Wire.Migration.Reading;

/// <summary>
/// Types of the program that wrote themselves through <see cref="ISerializable"/>, where the options allow their constructor.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal sealed class SelfWritten : ITypeReader
{
    private readonly Type _type;
    private readonly ConstructorInfo _constructor;
    private readonly SerializationCallbacks? _callbacks;

    /// <exception cref="WireFormatException">The options do not allow it, or the type has no such constructor.</exception>
    public SelfWritten(Type type, SerializerOptions options)
    {
        if (!options.UseSerializable)
        {
            throw Needs(
                type,
                nameof(SerializerOptions.UseSerializable),
                "implements ISerializable, so BinaryFormatter wrote what its GetObjectData added, for its constructor with a "
                + "SerializationInfo");
        }

        MemberReader.CheckCallbacks(type, options);
        _type = type;
        _callbacks = SerializationCallbacks.Find(type, options);
        _constructor = SerializableTypes.Constructor(type) ?? throw new WireFormatException(
            WireFormatError.SchemaMismatch,
            $"{type} is an ISerializable without a constructor that takes a SerializationInfo and a StreamingContext, which "
            + "BinaryFormatter called. Add it.");
    }

    /// <summary>Returns whether BinaryFormatter let a type write itself, and neither a collection nor an exception does it.</summary>
    public static bool IsWritten(Type type) => SerializableTypes.Contains(type);

    /// <summary>Makes the error about an option that a type needs.</summary>
    public static WireFormatException Needs(Type type, string option, string why) => new(
        WireFormatError.InvalidValue,
        $"{type} {why}. Set SerializerOptions.{option} to allow that: reading then runs code of the allowed types on values that the "
        + "bytes have chosen.");

    public object Read(GraphReader graph, ClassRecord record)
    {
        graph.TakeObject(_type);
        object target = RuntimeHelpers.GetUninitializedObject(_type);
        if (target is not IObjectReference)
        {
            graph.Track(target);
        }

        SerializationInfo info = InfoOf(graph, record, _type);
        SerializationCallbacks.Call(_callbacks?.Deserializing ?? [], target);
        Construct(_constructor, target, info);
        if (_callbacks is not null)
        {
            graph.CallBack(_callbacks, target);
        }

        return target is IObjectReference ? RealObject(target) : target;
    }

    /// <summary>Reads what a type has written of itself, for its constructor.</summary>
    /// <param name="graph">The graph.</param>
    /// <param name="record">The record.</param>
    /// <param name="type">The type.</param>
    /// <param name="isOwn">Says which values are the type's; null when all are.</param>
    public static SerializationInfo InfoOf(GraphReader graph, ClassRecord record, Type type, Func<string, bool>? isOwn = null)
    {
        // Its names are the payload's, and the registry would keep them for ever.
        int member = graph.Registry.Members.Add(type.NameAsOwner(), "<value>");
        int unfilled = graph.Unfilled;
        var info = new SerializationInfo(type, new FormatterConverter());
        foreach (string name in record.MemberNames.Where(isOwn ?? (_ => true)))
        {
            object? value = graph.ReadMember(member, record.GetRawValue(name), typeof(object));
            info.AddValue(name, value, value?.GetType() ?? typeof(object));
        }

        graph.CheckFilled(type, unfilled);
        return info;
    }

    /// <summary>
    /// Runs the constructor on an object that exists. It trusts its values: any exception means that the type has not written them.
    /// </summary>
    public static void Construct(ConstructorInfo constructor, object target, SerializationInfo info) => Guard(
        target,
        () => constructor.Invoke(
            target, BindingFlags.DoNotWrapExceptions, binder: null, [info, SerializationCallbacks.Context], culture: null));

    /// <summary>Returns what stands in the place of an object reference.</summary>
    public static object RealObject(object target) =>
        Guard(target, () => ((IObjectReference)target).GetRealObject(SerializationCallbacks.Context))
        ?? throw new WireFormatException(WireFormatError.InvalidValue, $"GetRealObject of {target.GetType()} returned null.");

    private static object? Guard(object target, Func<object?> make)
    {
        try
        {
            return make();
        }
        catch (Exception e) when (ThrowHelper.MayBeOfBytes(e))
        {
            throw new WireFormatException(WireFormatError.InvalidValue, $"Not a valid {target.GetType().Name}: {e.Message}", e);
        }
    }
}

#pragma warning restore SYSLIB0050

using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using Wire.Compilation;
using Wire.Errors;
using Wire.Format;
using Wire.Runtime;
using Wire.SerializerFactories;
using Wire.Sessions;
using Wire.Slots;
using Wire.Types;
using Wire.Values;

// The formatter interfaces are obsolete because formatters created any type; types still implement them, and here the filter decides which
// may be created.
#pragma warning disable SYSLIB0050

namespace Wire.OptIn;

/// <summary>The record of one value that an object of an <see cref="ISerializable"/> type reports.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Type">The type given by the object; null for the value's own type, or object for null.</param>
/// <param name="Value">The value.</param>
internal readonly record struct EntryRecord(string? Name, Type? Type, object? Value) : IStandIn;

/// <summary>The rules for types that write themselves through <see cref="ISerializable"/>, where the options allow it.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal static class SerializableTypes
{
    /// <summary>Returns whether a user's type may; exceptions and collections have their own rules.</summary>
    public static bool Contains(Type type) =>
        typeof(ISerializable).IsAssignableFrom(type)
        && !typeof(Exception).IsAssignableFrom(type)
        && BuiltInFactory.IsUnsupported(type) is null
        && TrimmedAssemblies.RefusalOf(type) is null
        && !FrameworkAssemblies.Contains(type.Assembly)
        && BuiltInFactory.BasePartOf(type) is null;

    /// <summary>Gets the constructor that takes the written values.</summary>
    public static ConstructorInfo? Constructor(Type type) => typeof(ISerializable).IsAssignableFrom(type)
        ? type.GetConstructor(MemberFinder.DeclaredInstance, [typeof(SerializationInfo), typeof(StreamingContext)])
        : null;

    /// <summary>
    /// Returns whether a type writes itself, or is an object reference, and no other option applies to it.
    /// </summary>
    /// <param name="type">The type.</param>
    /// <param name="custom">The value serializer that the options give it; null when they give it none.</param>
    public static bool IsSelfWritten(Type type, ValueSerializer? custom) => custom is null
        ? typeof(IObjectReference).IsAssignableFrom(type) && !typeof(ISerializable).IsAssignableFrom(type)
        : custom.GetType().IsOf(typeof(SerializableSerializer<>));

    /// <summary>Returns whether objects of a type can be restored from that many values.</summary>
    public static bool CanMake(Type type, int values, TypeRegistry registry) => BuiltInFactory.IsUnsupported(type) is null
        && TrimmedAssemblies.RefusalOf(type) is null
        && !FrameworkAssemblies.Contains(type.Assembly)
        && (Constructor(type) is not null || (values == 0 && typeof(IObjectReference).IsAssignableFrom(type)))
        && registry.IsSelfWritten(type);
}

/// <summary>
/// A type that writes itself as named values. The object exists before they are read, so that they can refer to it; then its constructor
/// runs in place.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed class SerializableSerializer<T>(TypeRegistry registry) : ValueSerializer<T>, ISurrogateSerializer, IOwnSchema
    where T : ISerializable
{
    private readonly ValueSerializer<Type?> _as = registry.Slot<Type?>();
    private readonly ValueSerializer<EntryRecord[]?> _values = Values(registry);
    private readonly int _member = registry.Members.Add(typeof(T).NameAsOwner(), "Values");
    private readonly Lazy<SerializationCallbacks?> _callbacks =
        new(() => SerializationCallbacks.Find(typeof(T), registry.Options), LazyThreadSafetyMode.PublicationOnly);

    public Type Source => typeof(T);

    private static ValueSerializer<EntryRecord[]?> Values(TypeRegistry registry)
    {
        if (!RuntimeFeature.IsDynamicCodeSupported)
        {
            NativeCode.KeepList<EntryRecord>();
        }

        return registry.Slot<EntryRecord[]?>();
    }

    public override void Write(ref WireWriter writer, T value)
    {
        object target = value;
        SerializationCallbacks? callbacks = _callbacks.Value;
        SerializationCallbacks.Call(callbacks?.Serializing ?? [], target);
        var info = new SerializationInfo(typeof(T), new FormatterConverter());
        ((ISerializable)target).GetObjectData(info, SerializationCallbacks.Context);
        if (info.IsFullTypeNameSetExplicit
            || info.IsAssemblyNameSetExplicit
            || !SerializableTypes.CanMake(info.ObjectType, info.MemberCount, registry))
        {
            throw new UnsupportedTypeException(
                typeof(T), $"it is an ISerializable, and {info.FullTypeName} cannot be created when it is read: {WhyNot(info)}");
        }

        var values = new List<EntryRecord>();
        foreach (SerializationEntry entry in info)
        {
            values.Add(new(entry.Name, entry.ObjectType == TypeOf(entry.Value) ? null : entry.ObjectType, entry.Value));
        }

        _as.Write(ref writer, info.ObjectType == typeof(T) ? null : info.ObjectType);
        writer.Member = _member;
        _values.Write(ref writer, [.. values]);
        SerializationCallbacks.Call(callbacks?.Serialized ?? [], target);
    }

    private static string WhyNot(SerializationInfo info) =>
        info.IsFullTypeNameSetExplicit || info.IsAssemblyNameSetExplicit
            ? "GetObjectData has set FullTypeName or AssemblyName, which are not followed. Call SetType with the type instead."
        : !typeof(ISerializable).IsAssignableFrom(info.ObjectType) && !typeof(IObjectReference).IsAssignableFrom(info.ObjectType)
            ? "GetObjectData has called SetType with it, and it does not implement ISerializable. Implement the interface there, "
                + "with a constructor that takes a SerializationInfo and a StreamingContext, or do not call SetType."
        : "it needs a constructor with a SerializationInfo and a StreamingContext, or has to be an IObjectReference without values, "
            + "and the options must not name it as a singleton or give it a surrogate or value serializer.";

    public override T Read(ref WireReader reader) =>
        ReadObject(ref reader) is var value && value is T made ? made : ObjectFormat.Mismatch<T>(value);

    internal override object ReadObject(ref WireReader reader)
    {
        Type type = _as.Read(ref reader) ?? typeof(T);
        if (!SerializableTypes.CanMake(type, values: 0, registry))
        {
            ThrowHelper.InvalidValue(typeof(T).Name, $"no {type} can be made of what an ISerializable has written");
        }

        object target = RuntimeHelpers.GetUninitializedObject(type);
        if (!type.IsValueType && target is not IObjectReference)
        {
            reader.Session.Track(target);
        }

        reader.Member = _member;
        WaitingActions waiting = reader.Session.Objects.Waiting;
        int before = waiting.Count;
        EntryRecord[] values = _values.Read(ref reader) ?? [];
        if (waiting.Count > before)
        {
            // Its constructor may copy a collection that is still empty.
            ThrowHelper.Format(
                WireFormatError.InvalidValue,
                $"What a {type} wrote of itself has a collection whose keys refer back to an object that contains it and is not complete "
                + "yet: its constructor would see it empty. Let GetObjectData write an array, and fill the collection after reading.");
        }

        SerializationCallbacks? callbacks = type == typeof(T) ? _callbacks.Value : SerializationCallbacks.Find(type, registry.Options);
        SerializationCallbacks.Call(callbacks?.Deserializing ?? [], target);
        Guard(static (target, values) => Construct(target, values), target, values);
        SerializationCallbacks.Call(callbacks?.Deserialized ?? [], target);
        if (callbacks is { IsAfterGraph: true })
        {
            reader.Session.CallAfterGraph((IDeserializationCallback)target);
        }

        return target is IObjectReference
            ? Guard(static (target, _) => ((IObjectReference)target).GetRealObject(SerializationCallbacks.Context), target, values)
            : target;
    }

    internal override Shape Describe(ShapeBuilder builder) =>
        builder.Members(typeof(SerializableSerializer<T>), [("As", _as), ("Values", _values)]);

    private static Type TypeOf(object? value) => value?.GetType() ?? typeof(object);

    private static object Construct(object target, EntryRecord[] values)
    {
        if (SerializableTypes.Constructor(target.GetType()) is not { } constructor)
        {
            return values.Length == 0
                ? target
                : ThrowHelper.Format<object>(WireFormatError.InvalidValue, $"{target.GetType()} has no constructor for the values.");
        }

        var info = new SerializationInfo(target.GetType(), new FormatterConverter());
        foreach (EntryRecord value in values)
        {
            info.AddValue(value.Name!, value.Value, value.Type ?? TypeOf(value.Value));
        }

        constructor.Invoke(target, BindingFlags.DoNotWrapExceptions, binder: null, [info, SerializationCallbacks.Context], culture: null);
        return target;
    }

    // Such a constructor trusts its values: any exception means that the bytes were not written by this type.
    private static object Guard(Func<object, EntryRecord[], object?> make, object target, EntryRecord[] values)
    {
        try
        {
            return make(target, values)
                ?? ThrowHelper.Format<object>(WireFormatError.InvalidValue, $"GetRealObject of {target.GetType()} returned null.");
        }
        catch (Exception e) when (ThrowHelper.MayBeOfBytes(e))
        {
            throw new WireFormatException(WireFormatError.InvalidValue, $"Not a valid {target.GetType().Name}: {e.Message}", e);
        }
    }
}

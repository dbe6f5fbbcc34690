using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Slots;
using Wire.Types;
using Wire.Unknown;

namespace Wire.Values;

/// <summary>A value whose position does not determine its type: a tag or manifest, and the value (docs/format.md, clause 3).</summary>
internal static class ObjectFormat
{
    /// <summary>Writes a value that is not null.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value.</param>
    /// <param name="entry">Its runtime type.</param>
    /// <param name="declared">The type of the variable that holds it; null at the root.</param>
    public static void Write(ref WireWriter writer, object value, TypeEntry entry, Type? declared)
    {
        SerializerSession session = writer.Session;
        if (entry.IsPlain)
        {
            if (session.TracksReferences && session.Objects.WriteReference(ref writer, value))
            {
                return;
            }

            session.Costs.TakeObject(ref writer, entry.Serializer);
        }
        else if (entry.Variants is { } variants)
        {
            UnknownFormat.Write(ref writer, value, entry, variants, declared);
            return;
        }

        session.Types.Write(ref writer, entry, declared);
        WriteBody(ref writer, value, entry.Serializer);
    }

    /// <summary>Writes an object of exactly the type that its variable declares, whose values have no tag of the format.</summary>
    public static void WriteExact(ref WireWriter writer, object value, TypeEntry entry)
    {
        SerializerSession session = writer.Session;
        if (session.TracksReferences && session.Objects.WriteReference(ref writer, value))
        {
            return;
        }

        session.Costs.TakeObject(ref writer, entry.Serializer);
        session.Types.WriteExact(ref writer, entry);
        WriteBody(ref writer, value, entry.Serializer);
    }

    /// <summary>Writes an object of a type that the reader knows.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The object.</param>
    /// <param name="serializer">The value serializer of its type.</param>
    /// <param name="tag">The tag of its type.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteKnown(ref WireWriter writer, object value, ValueSerializer serializer, byte tag)
    {
        SerializerSession session = writer.Session;
        if (session.TracksReferences && session.Objects.WriteReference(ref writer, value))
        {
            return;
        }

        session.Costs.TakeObject(ref writer, serializer);
        writer.WriteByte(tag);
        WriteBody(ref writer, value, serializer);
    }

    /// <summary>Writes a value without its type, one level down the path.</summary>
    public static void WriteBody(ref WireWriter writer, object value, ValueSerializer serializer)
    {
        BodyWriter? compiled = serializer.BodyWriter;
        Debug.Assert(compiled is null || serializer.Type.IsInstanceOfType(value), "compiled code accepts only objects of its own type");
        if (compiled is null && serializer.IsLeaf)
        {
            serializer.WriteObject(ref writer, value);
            return;
        }

        GraphPath path = writer.Session.Path;
        bool hasStack = path.Enter(writer.Member);
        // No member of the new level has been named yet: an error now belongs to the whole value.
        writer.Member = GraphPath.Root;
        if (compiled is not null && hasStack)
        {
            compiled(ref writer, value);
        }
        else if (hasStack)
        {
            serializer.WriteObject(ref writer, value);
        }
        else
        {
            FreshStack.Write(ref writer, serializer, value);
        }

        writer.Member = path.Exit();
    }

    /// <summary>
    /// Returns whether a value fits a variable of a type, as C# has it: the runtime would accept an array of unsigned numbers as one of
    /// signed ones.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Fits<T>([NotNullWhen(true)] object? value) =>
        value is T && (value.GetType() == typeof(T) || !Exactness<T>.IsAsked || Exactness<T>.Holds(value.GetType()));

    /// <summary>
    /// Returns whether all values of a value serializer fit a variable of a type, so that no value needs a check.
    /// </summary>
    public static bool AlwaysFits<T>(ValueSerializer serializer)
    {
        if (ReferenceEquals(serializer.FittingVariable, typeof(T)))
        {
            return true;
        }

        if (serializer is ISurrogateSerializer
            || !(typeof(T) == typeof(object) || ArrayVariance.Fits(typeof(T), serializer.Type)))
        {
            return false;
        }

        // What is kept must not keep an assembly that can be unloaded.
        if (!typeof(T).IsCollectible)
        {
            serializer.FittingVariable = typeof(T);
        }

        return true;
    }

    /// <summary>Makes the error for a value that would not come back into the variable that holds it.</summary>
    /// <param name="variable">The type of the variable.</param>
    /// <param name="type">The runtime type of the value.</param>
    /// <param name="written">The type that it is written as.</param>
    public static UnsupportedTypeException Lost(Type variable, Type type, Type written) => new(
        type,
        written == type
            ? $"only a cast puts it into a variable of {variable}, and no reader makes that cast. Copy it to a {variable}."
            : $"it would come back as a {written}, which is not a {variable}. Declare the variable as that, or as an interface.");

    /// <summary>Reports a value whose type does not fit its position.</summary>
    /// <param name="value">The value; null where the type after a tag can itself be null, such as a nullable value type.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static T Mismatch<T>(object? value) => throw MismatchOf<T>(value);

    /// <summary>Makes the error for a value whose type does not fit its position.</summary>
    public static WireFormatException MismatchOf<T>(object? value) => new(
        WireFormatError.TypeMismatch,
        $"The payload holds {(value is null ? "null with a tag" : $"a value of type {value.GetType()}")} "
        + $"where one of type {typeof(T)} is needed. "
        + Advice.ChangedMember);

    /// <summary>Makes the error for a root that is not of the requested type.</summary>
    public static WireFormatException OtherRoot(Type asked, object value) => new(
        WireFormatError.TypeMismatch,
        $"The program asked for a value of type {asked}, and the payload holds one of type {value.GetType()}. "
        + (asked.IsValueType ? $"Ask for {value.GetType()}, or for object." : $"Ask for {value.GetType()}, or for a base class of both."));

    /// <summary>The types in variables of one type.</summary>
    private static class Exactness<T>
    {
        public static readonly bool IsAsked = ArrayVariance.Concerns(typeof(T));

        // The last type that fitted.
        private static Type? _fitting;

        public static bool Holds(Type type)
        {
            if (ReferenceEquals(type, _fitting))
            {
                return true;
            }

            if (!ArrayVariance.IsExact(typeof(T), type))
            {
                return false;
            }

            if (!type.IsCollectible)
            {
                _fitting = type;
            }

            return true;
        }
    }
}

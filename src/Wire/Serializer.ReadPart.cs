using System.Diagnostics.CodeAnalysis;
using Wire.Plans;
using Wire.Sessions.Objects;
using Wire.Slots;
using Wire.Values;

namespace Wire;

/// <content>Reading of a part of a payload, and into objects that exist.</content>
public sealed partial class Serializer
{
    /// <summary>
    /// Reads one value inside of a payload, and nothing else: what stands before it is skipped, and its types need not exist in this
    /// program. What stands behind it is not looked at, but where the payload has references.
    /// </summary>
    /// <typeparam name="T">
    /// The type of the value, a base class or interface of it, or a type that a member may have which was written as this: <c>long</c> for
    /// <c>int</c>, <see cref="System.Collections.Immutable.ImmutableArray{T}"/> for an array. The type filter is asked for the types that
    /// the value names, as if it were a payload of its own.
    /// </typeparam>
    /// <param name="payload">The payload, written by <c>Serialize</c>.</param>
    /// <param name="path">
    /// The path to the value, as <c>PayloadNode.TryGet</c> has it: <c>Lines[2].Price</c>, <c>Prices["apple"]</c>. References on it
    /// are followed. Empty is the whole payload.
    /// </param>
    /// <remarks>Where references lead to objects outside of the value, these are read too.</remarks>
    /// <exception cref="FormatException">The path is none.</exception>
    /// <exception cref="KeyNotFoundException">There is no such value.</exception>
    /// <exception cref="WireFormatException">
    /// The bytes up to the value are damaged, exceed a limit or have no schema (<see cref="SerializerOptions.VersionTolerance"/> off), or
    /// the value is of another type.
    /// </exception>
    /// <exception cref="TypeRefusedException">The value names a type that is not allowed.</exception>
    /// <example>
    /// <code>
    /// string? customer = serializer.Read&lt;string>(payload, "Customer");
    /// decimal price = serializer.Read&lt;decimal>(payload, "Lines[2].Price");
    /// </code>
    /// </example>
    public T? Read<T>(ReadOnlySpan<byte> payload, string path) =>
        TryRead(payload, path, out T? value) ? value : throw PathStep.NoValue(path);

    /// <inheritdoc cref="Read{T}(ReadOnlySpan{byte}, string)"/>
    /// <param name="payload">The message, which is read to its end, because later ones may use the types that it defines.</param>
    /// <param name="path">The path.</param>
    /// <param name="session">The stream of messages that the payload belongs to.</param>
    public T? Read<T>(ReadOnlySpan<byte> payload, string path, DeserializerSession session) =>
        TryRead(payload, path, session, out T? value) ? value : throw PathStep.NoValue(path);

    /// <inheritdoc cref="Read{T}(ReadOnlySpan{byte}, string)"/>
    /// <param name="payload">The payload.</param>
    /// <param name="path">The path.</param>
    /// <param name="value">The value; the default one where there is none.</param>
    /// <returns>False where there is no such value.</returns>
    public bool TryRead<T>(ReadOnlySpan<byte> payload, string path, out T? value)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (path.Length > 0)
        {
            return ThreadReading().TryReadPart(path, PathStep.Parse(path), payload, out value);
        }

        value = ReadWhole<T>(payload);
        return true;
    }

    /// <inheritdoc cref="Read{T}(ReadOnlySpan{byte}, string, DeserializerSession)"/>
    /// <param name="payload">The message.</param>
    /// <param name="path">The path.</param>
    /// <param name="session">The stream of messages that the payload belongs to.</param>
    /// <param name="value">The value; the default one where there is none.</param>
    /// <returns>False where there is no such value.</returns>
    public bool TryRead<T>(ReadOnlySpan<byte> payload, string path, DeserializerSession session, out T? value)
    {
        Check(session);
        ArgumentNullException.ThrowIfNull(path);
        if (path.Length > 0)
        {
            return session.TryReadPart(path, PathStep.Parse(path), payload, out value);
        }

        value = ReadWhole<T>(payload, session);
        return true;
    }

    /// <summary>
    /// Reads the one value that the payload holds into an object that exists, and into the objects in it: lists keep their capacity,
    /// dictionaries and sets their buckets, arrays stay where their length is the same, and text that is equal stays the string that it is.
    /// What comes is what <see cref="Deserialize{T}(ReadOnlySpan{byte})"/> would make, with the references of the payload. No memory is
    /// allocated where nothing grew.
    /// </summary>
    /// <typeparam name="T">The type of the object, or a base class or interface of it.</typeparam>
    /// <param name="payload">The payload. Its root is of exactly the type of the object.</param>
    /// <param name="into">
    /// The object: of a class that is written member by member, a list, an array, a dictionary or a set. Nothing else may use it, or an
    /// object in it, meanwhile.
    /// </param>
    /// <param name="keepsMissing">
    /// True if members that the payload says nothing of stay as they are, as do fields that are no members, but for those of value types;
    /// by default they become what they are in a new object.
    /// </param>
    /// <returns>The object.</returns>
    /// <remarks>
    /// <para>
    /// An object in it is used again once, where the payload has one of its type, and where it can change: an object whose fields are all
    /// read-only is replaced, because the program may share it. Of the built-in collections these are <see cref="List{T}"/>, arrays,
    /// <see cref="Dictionary{TKey, TValue}"/>, <see cref="OrderedDictionary{TKey, TValue}"/> and <see cref="HashSet{T}"/>; others, and what
    /// has a surrogate or a value serializer of the program, are made anew.
    /// </para>
    /// <para>
    /// After an exception, what had been read before it is in the object, and the rest is as it was or empty: it can be read into again, or
    /// given up. If the root is of another type, or null, the object is unchanged.
    /// </para>
    /// </remarks>
    /// <exception cref="UnsupportedTypeException">Objects of the type of <paramref name="into"/> cannot be read into.</exception>
    /// <exception cref="WireFormatException">
    /// The bytes are not such a payload, more bytes follow it, or its root is not of the type of the object.
    /// </exception>
    /// <exception cref="TypeRefusedException">The payload names a type that is not allowed.</exception>
    /// <example>
    /// <code>
    /// var batch = new List&lt;OrderPlaced>();
    /// foreach (byte[] message in messages)
    /// {
    ///     serializer.Deserialize(message, into: batch); // the list of the message before, with its capacity
    /// }
    /// </code>
    /// </example>
    public T Deserialize<T>(ReadOnlySpan<byte> payload, T into, bool keepsMissing = false)
        where T : class
    {
        if (into is not null && _readPlans.Guess(payload) is ReadPlan<T> plan && plan.TryReadFlatInto(payload, into))
        {
            return into;
        }

        CheckInto(into);
        return ReadInto(ThreadReading(), payload, into, keepsMissing, isStrict: true)!;
    }

    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, T, bool)"/>
    /// <param name="payload">The payload.</param>
    /// <param name="into">The object.</param>
    /// <param name="session">The stream of messages that the payload belongs to.</param>
    /// <param name="keepsMissing">True if what the payload says nothing of stays as it is.</param>
    public T Deserialize<T>(ReadOnlySpan<byte> payload, T into, DeserializerSession session, bool keepsMissing = false)
        where T : class
    {
        Check(session);
        CheckInto(into);
        return ReadInto(session, payload, into, keepsMissing, isStrict: true)!;
    }

    /// <summary>
    /// Reads the one value that the payload holds into an object that is chosen by its type, as one of a pool. Where there is none, a new
    /// one is made.
    /// </summary>
    /// <typeparam name="T">The type of the value, or a base class or interface of it.</typeparam>
    /// <param name="payload">The payload.</param>
    /// <param name="into">
    /// Gives an object for the type of the payload's root, or null. It is asked at most once, and only where the type is known before the
    /// payload is read, because earlier ones have begun in the same way.
    /// </param>
    /// <returns>The object that was read into, or a new one.</returns>
    /// <remarks>If it throws, the function may have been asked: whoever rents objects remembers there which one it gave.</remarks>
    /// <exception cref="WireFormatException">The bytes are not such a payload, or more bytes follow it.</exception>
    /// <exception cref="TypeRefusedException">The payload names a type that is not allowed.</exception>
    public T? Deserialize<T>(ReadOnlySpan<byte> payload, Func<Type, T?> into)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(into);
        if (_readPlans.Guess(payload) is not ReadPlan<T> plan || !plan.Begins(payload) || into(plan.RootType) is not { } there)
        {
            return ReadWhole<T>(payload);
        }

        return plan.TryReadFlatInto(payload, there)
            ? there
            : ReadInto(ThreadReading(), payload, there, keepsMissing: false, isStrict: false);
    }

    private void CheckInto<T>([NotNull] T? into)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(into);
        Type type = into.GetType();
        if (Registry.Entry(type).Serializer is not IOverwriter { CanOverwrite: true })
        {
            throw new UnsupportedTypeException(
                type,
                "objects of this type are made of what is read, and nothing can be read into them. Leave out the object to read into.");
        }
    }

    private static T ReadInto<T>(
        DeserializerSession session, ReadOnlySpan<byte> payload, T into, bool keepsMissing, bool isStrict)
        where T : class
    {
        session.CheckFree();
        var objects = OverwrittenObjects.Begin(into, keepsMissing);
        session.Overwritten = objects;
        try
        {
            T? value = session.FindPlan<T>(payload) is { } plan
                ? (T)session.Read(plan, payload, whole: true, out _)
                : ReadSlow<T>(session, payload, null, whole: true, out _);
            if (isStrict && !ReferenceEquals(value, into))
            {
                session.RefuseInto(value, into);
            }

            return value!;
        }
        finally
        {
            session.Overwritten = null;
            objects.End();
        }
    }
}

using Wire.Copying;
using Wire.Sessions;

namespace Wire;

/// <content>Copies of object graphs.</content>
public sealed partial class Serializer
{
    private bool _hasGivenUpCopies;

    /// <summary>
    /// Copies an object graph: the copy is what writing and reading would give, made without bytes in between. Thread-safe.
    /// </summary>
    /// <typeparam name="T">The type of the variable, which may be a base class or an interface of the value's.</typeparam>
    /// <param name="value">The root of the graph; null gives null.</param>
    /// <returns>
    /// The copy. Objects of the program's classes, arrays and mutable collections are new; values that cannot change are shared: strings
    /// and most other immutable types of .NET, and immutable and frozen collections of them. An object that is reached twice has one copy
    /// with <see cref="SerializerOptions.PreserveObjectReferences"/>, and two without. Collections keep their comparers; those of the
    /// program are copied like other objects.
    /// </returns>
    /// <remarks>
    /// Members that are not written, such as those with <see cref="IgnoreMemberAttribute"/>, have their default values in the copy.
    /// Surrogates are asked as they are for writing and reading: the stand-in of a value is made and copied, and the value is made from the
    /// copy. Where the graph has values of which only the bytes are known, from a <see cref="ValueSerializer{T}"/> of the program, with
    /// callbacks, exceptions, delegates, expressions, or sequences that can only be enumerated, the whole graph is written and read
    /// instead, and surrogates in front of such a value are asked once more. The type filter is not asked, and of the limits only <see
    /// cref="Limits.MaxDepth"/> holds always, since no bytes come from outside.
    /// </remarks>
    /// <exception cref="UnsupportedTypeException">The graph has a value of a type that cannot be serialized.</exception>
    /// <exception cref="ObjectGraphException">
    /// The graph is too deep, has a cycle without <see cref="SerializerOptions.PreserveObjectReferences"/>, or has to be written and read,
    /// and what is written cannot be read: a boxed value or immutable collection that leads back to itself, a set whose elements have
    /// become equal, more collisions than <see cref="Limits.MaxCollisions"/>.
    /// </exception>
    /// <example>
    /// <code>
    /// OrderPlaced copy = serializer.Clone(order);
    /// </code>
    /// </example>
    public T Clone<T>(T value)
    {
        if (value is null)
        {
            return value;
        }

        if (Options.PreserveObjectReferences || _hasGivenUpCopies)
        {
            return CloneTracking(value);
        }

        var copier = new GraphCopier(this, null);
        try
        {
            return copier.CopyRoot(value);
        }
        catch (Exception e) when (!copier.IsOfUser(e))
        {
            return CloneSlow(value);
        }
    }

    // Out of line: the other case has fewer branches.
    private T CloneTracking<T>(T value)
    {
        if (_hasGivenUpCopies && Registry.Entry(value!.GetType()).IsNextCopyByBytes())
        {
            return CloneByBytes(value);
        }

        ThreadSessions.Pair own = _threads.Current;
        CopiedObjects? objects = null;
        if (Options.PreserveObjectReferences)
        {
            // A surrogate that calls the serializer in turn takes another table.
            objects = own.Copied ?? new CopiedObjects();
            own.Copied = null;
        }

        var copier = new GraphCopier(this, objects);
        try
        {
            return copier.CopyRoot(value);
        }
        catch (Exception e) when (!copier.IsOfUser(e))
        {
            return CloneSlow(value);
        }
        finally
        {
            if (objects is not null)
            {
                objects.Clear();
                own.Copied = objects;
            }
        }
    }

    // Where the copy was not given up, but failed in Wire or .NET, writing and reading meets the same failure, and says where.
    private T CloneSlow<T>(T value)
    {
        T copy = CloneByBytes(value);
        Registry.Entry(value!.GetType()).GiveUpCopy();
        _hasGivenUpCopies = true;
        return copy;
    }

    /// <summary>Copies an object graph by writing and reading it. Types are not filtered, since no bytes come from outside.</summary>
    internal T CloneByBytes<T>(T value)
    {
        byte[] bytes = Serialize(value);
        try
        {
            var session = new DeserializerSession(this, ownThread: true) { IsTrusted = true, Near = value?.GetType() };
            return ReadSlow<T>(session, bytes, null, whole: true, out _)!;
        }
        catch (WireFormatException e)
        {
            throw NotReadable(e);
        }
    }

    // Who copies has no payload.
    private static ObjectGraphException NotReadable(WireFormatException e)
    {
        string reason = e.Error switch
        {
            WireFormatError.Reference => "an object that is made of its parts, such as a box or an immutable collection, is one of them",
            WireFormatError.Limit => "reading it would exceed a limit",
            _ => "a value cannot be made again from what it holds, such as a set whose elements have become equal since they were added",
        };
        string place = e.MemberPath.Length == 0 ? "the graph" : $"the graph at {e.MemberPath}";
        return new ObjectGraphException($"A copy of {place} cannot be made: {reason}. The inner exception says more.", e.MemberPath, e);
    }
}

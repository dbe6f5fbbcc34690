using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Types;
using Wire.ValueSerializers.Collections;

namespace Wire.Sessions;

/// <summary>
/// The costs of reading the current message, counted while it is written, and the errors for a message that a reader with the same limits
/// would refuse. Part of its session, so that counting an object costs no load.
/// </summary>
internal struct WriteCosts
{
    private readonly Limits _limits;
    private readonly GraphPath _path;
    private readonly TypeRegistry _registry;
    private readonly Budget _full;
    private Budget _left;
    private long _collisions;

    /// <param name="limits">The limits of a message.</param>
    /// <param name="path">The path to the current value, for errors.</param>
    /// <param name="registry">The registry, which has the names of the members on it.</param>
    public WriteCosts(Limits limits, GraphPath path, TypeRegistry registry)
    {
        _limits = limits;
        _path = path;
        _registry = registry;
        _full = _left = new Budget(limits);
    }

    /// <summary>Gets the memory that reading the rest of the message may take.</summary>
    public readonly long BytesLeft => _left.Bytes;

    /// <summary>Gets the number of further comparisons that a reader may need to distinguish keys.</summary>
    public readonly long CollisionsLeft => _limits.MaxCollisions - _collisions;

    /// <summary>Begins a message without counted costs.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void BeginMessage()
    {
        _left = _full;
        _collisions = 0;
    }

    /// <summary>Begins a message whose root has been counted beforehand.</summary>
    /// <param name="left">The budget for the rest.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void BeginMessage(in Budget left)
    {
        _left = left;
        _collisions = 0;
    }

    /// <summary>Counts an object before it is written.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void TakeObject(ref WireWriter writer, ValueSerializer serializer)
    {
        if (!_left.TryTakeObject(serializer))
        {
            MeasureAndTakeObject(writer.Member, serializer);
        }
    }

    /// <summary>
    /// Counts an object before it is written; false, and it has not been counted, when that is too much or it has not been measured.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryTakeObject(ValueSerializer serializer) => _left.TryTakeObject(serializer);

    /// <inheritdoc cref="Budget.CountOf"/>
    public readonly int CountOf(ValueSerializer serializer, int count) => _left.CountOf(serializer, count);

    /// <inheritdoc cref="Budget.TakeObjects"/>
    public void TakeObjects(ValueSerializer serializer, int count) => _left.TakeObjects(serializer, count);

    /// <summary>Counts memory that reading will take.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Charge(int member, long bytes)
    {
        if (!_left.TryTake(bytes))
        {
            Exceeded(member);
        }
    }

    /// <summary>Counts the entries that a reader must visit because keys collide.</summary>
    public void TakeCollisions(int member, long steps, Type collection)
    {
        if (steps > CollisionsLeft)
        {
            Refuse(
                member,
                nameof(Limits.MaxCollisions),
                _limits.MaxCollisions,
                $"The work of telling the keys of a {collection} apart");
        }

        _collisions += Math.Max(0, steps);
    }

    /// <summary>Refuses a key that is too deep for a reader to hash or compare.</summary>
    [DoesNotReturn]
    public readonly void RefuseKey(int member, Type collection)
    {
        string place = _path.Describe(member, _registry);
        throw new ObjectGraphException(
            $"A key of a {collection}{(place.Length == 0 ? "" : $" at {place}")} has more than {KeyMeter.MaxDepth} levels, and .NET " +
            "hashes and compares keys recursively. Use a comparer of your own, or keys that are less deep.", place);
    }

    /// <summary>Refuses a graph that no reader with the same limits would read.</summary>
    [DoesNotReturn]
    public readonly void Refuse(int member, string option, long limit, string what)
    {
        string place = _path.Describe(member, _registry);
        throw new ObjectGraphException(
            $"{what} exceeds Limits.{option} = {limit}{(place.Length == 0 ? "" : $" at {place}")}. Raise the limit on both sides if the " +
            "graph is meant to be that large.", place);
    }

    /// <summary>Refuses a payload of more bytes than are allowed.</summary>
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    public readonly void RefuseBytes(int member) => Refuse(member, nameof(Limits.MaxBytes), _limits.MaxBytes, "The payload");

    // Out of line: called once per type.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void MeasureAndTakeObject(int member, ValueSerializer serializer)
    {
        if (!_left.TryMeasureAndTakeObject(serializer))
        {
            Exceeded(member);
        }
    }

    [DoesNotReturn]
    private readonly void Exceeded(int member)
    {
        (string option, long limit, string what) = _left.Exceeded(_limits);
        Refuse(member, option, limit, what);
    }
}

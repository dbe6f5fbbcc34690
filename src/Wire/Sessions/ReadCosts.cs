using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Errors;

namespace Wire.Sessions;

/// <summary>
/// The costs of the current message, counted before it is allocated. Part of its session, so that counting an object costs no load.
/// </summary>
internal struct ReadCosts(Limits limits)
{
    private readonly Budget _full = new(limits);
    private Budget _left = new(limits);
    private long _collisions;

    /// <summary>Gets the number of further collisions of keys that the message may have.</summary>
    public readonly long CollisionsLeft => Math.Min(limits.MaxCollisions, long.MaxValue / 2) - _collisions;

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

    /// <summary>Counts an object before it exists.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void TakeObject(ValueSerializer serializer)
    {
        if (!_left.TryTakeObject(serializer))
        {
            MeasureAndTakeObject(serializer);
        }
    }

    /// <summary>
    /// Counts an object before it exists; false, and it has not been counted, when that is too much or it has not been measured.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryTakeObject(ValueSerializer serializer) => _left.TryTakeObject(serializer);

    /// <inheritdoc cref="Budget.CountOf"/>
    public readonly int CountOf(ValueSerializer serializer, int count) => _left.CountOf(serializer, count);

    /// <inheritdoc cref="Budget.TakeObjects"/>
    public void TakeObjects(ValueSerializer serializer, int count) => _left.TakeObjects(serializer, count);

    /// <summary>Counts memory before it is allocated.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Charge(long bytes)
    {
        if (!_left.TryTake(bytes))
        {
            Exceeded();
        }
    }

    /// <summary>Takes collisions of keys from the message's budget.</summary>
    /// <param name="count">The number of collisions; zero or less has no effect.</param>
    /// <param name="collection">The collection that has them.</param>
    public void TakeCollisions(long count, Type collection)
    {
        if (count > CollisionsLeft)
        {
            ThrowHelper.Limit(
                nameof(Limits.MaxCollisions), limits.MaxCollisions, $"The work of telling the keys of a {collection} apart");
        }

        _collisions += Math.Max(0, count);
    }

    // Out of line: called once per type.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void MeasureAndTakeObject(ValueSerializer serializer)
    {
        if (!_left.TryMeasureAndTakeObject(serializer))
        {
            Exceeded();
        }
    }

    [DoesNotReturn]
    private readonly void Exceeded()
    {
        (string option, long limit, string what) = _left.Exceeded(limits);
        ThrowHelper.Limit(option, limit, what);
    }
}

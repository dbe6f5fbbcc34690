using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Errors;

namespace Wire;

/// <content>What the message costs, counted before it is allocated.</content>
public sealed partial class DeserializerSession
{
    /// <summary>Stands for the message in hand: no other one has the same.</summary>
    internal object Message => (_rest ??= new()).Identity;

    /// <summary>How many more collisions of keys the message may have.</summary>
    internal long CollisionsLeft => Math.Min(Limits.MaxCollisions, long.MaxValue / 2) - (_rest?.Collisions ?? 0);

    /// <summary>Takes collisions of keys from what the message may have.</summary>
    /// <param name="count">How many; no more than nothing changes nothing.</param>
    /// <param name="collection">What has them.</param>
    internal void ChargeCollisions(long count, Type collection)
    {
        if (count > CollisionsLeft)
        {
            Throw.Limit(nameof(Limits.MaxCollisions), Limits.MaxCollisions, $"What is needed to tell the keys of a {collection} from each other");
        }

        if (count > 0)
        {
            (_rest ??= new()).Collisions += count;
        }
    }

    /// <summary>Counts an object before it exists.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void TakeObject(ValueSerializer serializer)
    {
        if (!_budget.TryTakeObject(serializer))
        {
            MeasureAndTakeObject(serializer);
        }
    }

    // Out of line: once per type.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void MeasureAndTakeObject(ValueSerializer serializer)
    {
        if (!_budget.TryMeasureAndTakeObject(serializer))
        {
            Exceeded();
        }
    }

    /// <summary>Counts memory before it is allocated.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Take(long bytes)
    {
        if (!_budget.TryTake(bytes))
        {
            Exceeded();
        }
    }

    [DoesNotReturn]
    private void Exceeded()
    {
        (string option, long limit, string what) = _budget.Exceeded(Limits);
        Throw.Limit(option, limit, what);
    }
}

using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.ValueSerializers.Collections;

namespace Wire;

/// <content>What reading the message will cost, counted while it is written, so that what is written can be read.</content>
public sealed partial class SerializerSession
{
    /// <summary>How much memory reading the rest of the message may take.</summary>
    internal long BytesLeft => _budget.Bytes;

    /// <summary>Counts an object before it is written.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void TakeObject(ref WireWriter writer, ValueSerializer serializer)
    {
        if (!_budget.TryTakeObject(serializer))
        {
            MeasureAndTakeObject(writer.Member, serializer);
        }
    }

    // Out of line: once per type.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void MeasureAndTakeObject(int member, ValueSerializer serializer)
    {
        if (!_budget.TryMeasureAndTakeObject(serializer))
        {
            Exceeded(member);
        }
    }

    /// <summary>Counts memory that reading will take.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Take(int member, long bytes)
    {
        if (!_budget.TryTake(bytes))
        {
            Exceeded(member);
        }
    }

    /// <summary>How many steps a reader may still take to tell keys from each other.</summary>
    internal long CollisionsLeft => Limits.MaxCollisions - _collisions;

    /// <summary>Counts what a reader has to go through because keys share it.</summary>
    internal void ChargeCollisions(int member, long steps, Type collection)
    {
        if (steps > CollisionsLeft)
        {
            Refuse(member, nameof(Limits.MaxCollisions), Limits.MaxCollisions, $"What is needed to tell the keys of a {collection} from each other");
        }

        _collisions += Math.Max(0, steps);
    }

    /// <summary>Refuses a key that no reader would hash or compare.</summary>
    [DoesNotReturn]
    internal void RefuseKey(int member, Type collection)
    {
        string place = Path.Describe(member, Serializer.Registry);
        throw new ObjectGraphException(
            $"A key of a {collection}{(place.Length == 0 ? "" : $" at {place}")} has more than {KeyMeter.MaxDepth} levels, and .NET hashes and compares them on the stack. Use a comparer of your own, or keys that are not as deep.", place);
    }

    /// <summary>Refuses a graph that no reader with the same limits would read.</summary>
    [DoesNotReturn]
    internal void Refuse(int member, string option, long limit, string what)
    {
        string place = Path.Describe(member, Serializer.Registry);
        throw new ObjectGraphException(
            $"{what} exceeds Limits.{option} = {limit}{(place.Length == 0 ? "" : $" at {place}")}. Raise the limit, for those who read it too, if the graph is meant to be that large.", place);
    }

    /// <summary>Refuses a payload of more bytes than are allowed.</summary>
    [DoesNotReturn]
    internal void RefuseBytes(int member) => Refuse(member, nameof(Limits.MaxBytes), MaxBytes, "The payload");

    [DoesNotReturn]
    private void Exceeded(int member)
    {
        (string option, long limit, string what) = _budget.Exceeded(Limits);
        Refuse(member, option, limit, what);
    }
}

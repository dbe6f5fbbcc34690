using System.Runtime.CompilerServices;
using Wire.ValueSerializers.Conversion;

namespace Wire.ValueSerializers;

/// <summary>
/// A weak reference: its target is a part of the graph like any other, and lives after reading as long as something else holds it. Only its
/// constructor makes one: the garbage collector ends the process over one without.
/// </summary>
/// <param name="slot">Writes and reads the target.</param>
internal sealed class WeakReferenceSerializer<T>(ValueSerializer<WeakTarget<T>> slot)
    : ConvertedSerializer<WeakReference<T>, WeakTarget<T>>(
        slot,
        value => new(value.TryGetTarget(out T? target) ? target : null, TracksResurrection(value)),
        parts => new(parts.Target!, parts.TracksResurrection))
    where T : class
{
    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "IsTrackResurrection")]
    private static extern bool TracksResurrection(WeakReference<T> reference);
}

/// <summary>The target of a weak reference, and whether it is tracked until after its finalizer has run.</summary>
internal readonly record struct WeakTarget<T>(T? Target, bool TracksResurrection)
    where T : class;

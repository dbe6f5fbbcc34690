using System.Runtime.CompilerServices;

namespace Wire.Manifests;

/// <summary>
/// Which manifests have a reader for a schema that is not the program's own: of each type a bounded number, the last ones. An older one
/// gives its place up, whatever it was: so made-up schemas keep no honest one from being read fast, if it comes more often than they. Keeps
/// neither types nor manifests. Thread-safe.
/// </summary>
/// <param name="limit">How many for each type: <see cref="Limits.MaxSchemas"/>.</param>
internal sealed class ForeignReaders(int limit)
{
    private readonly ConditionalWeakTable<Type, Queue<WeakReference<Manifest>>> _places = [];

    /// <summary>Gives a manifest that has a reader now a place.</summary>
    /// <returns>The manifest that has lost its own, and is to be forgotten with its reader; null when there was room.</returns>
    public Manifest? Add(Type type, Manifest manifest)
    {
        Queue<WeakReference<Manifest>> places = _places.GetOrCreateValue(type);
        lock (places)
        {
            places.Enqueue(new WeakReference<Manifest>(manifest));
            return places.Count > limit && places.Dequeue().TryGetTarget(out Manifest? oldest) ? oldest : null;
        }
    }
}

using System.Runtime.CompilerServices;

namespace Wire.Manifests;

/// <summary>
/// The manifests that have a reader for a foreign schema: a bounded number per type, the most recent ones. A new one replaces the oldest,
/// so a flood of invented schemas does not stop a more frequent real one from being read fast. Keeps neither types nor manifests alive.
/// Thread-safe.
/// </summary>
/// <param name="limit">How many for each type: <see cref="Limits.MaxSchemas"/>.</param>
internal sealed class ForeignReaders(int limit)
{
    private readonly ConditionalWeakTable<Type, Queue<WeakReference<Manifest>>> _places = [];

    /// <summary>Adds a manifest that now has a reader.</summary>
    /// <returns>The manifest that was replaced and must be forgotten with its reader; null when there was room.</returns>
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

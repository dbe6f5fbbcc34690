using System.Runtime.CompilerServices;

namespace Wire;

/// <summary>
/// Which manifests keep a reader for a schema that is not the program's own: a bounded number for each type. The place of one
/// that has been forgotten is free again. Keeps neither types nor manifests. Thread-safe.
/// </summary>
/// <param name="limit">How many for each type: <see cref="Limits.MaxSchemas"/>.</param>
internal sealed class ForeignReaders(int limit)
{
    private readonly ConditionalWeakTable<Type, List<WeakReference<Manifest>>> _kept = [];

    /// <summary>Whether a further manifest of the type could keep a reader, or this one does.</summary>
    public bool HasRoom(Type type, Manifest manifest) => Ask(type, manifest, take: false);

    /// <summary>Takes a place for a manifest, or finds that it has one; false when there is none.</summary>
    public bool TryKeep(Type type, Manifest manifest) => Ask(type, manifest, take: true);

    private bool Ask(Type type, Manifest manifest, bool take)
    {
        List<WeakReference<Manifest>> kept = _kept.GetOrCreateValue(type);
        lock (kept)
        {
            bool has = false;
            kept.RemoveAll(place =>
            {
                bool isAlive = place.TryGetTarget(out Manifest? other);
                has |= ReferenceEquals(other, manifest);
                return !isAlive;
            });
            if (has)
            {
                return true;
            }

            bool hasRoom = kept.Count < limit;
            if (hasRoom && take)
            {
                kept.Add(new WeakReference<Manifest>(manifest));
            }

            return hasRoom;
        }
    }
}

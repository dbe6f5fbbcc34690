using Wire.Types;

namespace Wire.Manifests;

/// <summary>
/// The manifests that a serializer has seen, by their bytes. It holds a bounded number of bounded size, in two generations: when the
/// younger one is full, the older one is dropped. So invented manifests cost time but no memory, and repeated ones stay, whatever else
/// arrives.
/// </summary>
internal sealed class ManifestCache(TypeRegistry registry)
{
    // The capacity of each generation.
    private const int MaxManifests = 2048;
    // A parsed manifest takes up to sixty times its bytes.
    private const int MaxBytes = 1 << 19;

    private readonly ForeignReaders _foreign = new(registry.Options.Limits.MaxSchemas);
    private readonly Lock _lock = new();
    private ManifestTable _young = new();
    private ManifestTable _old = new();

    public Manifest Get(ReadOnlySpan<byte> bytes)
    {
        if (_young.Find(bytes) is { } known)
        {
            return known;
        }

        Manifest manifest = _old.Find(bytes) ?? new Manifest(bytes.ToArray(), registry);
        if (manifest.Bytes.Length > MaxBytes)
        {
            return manifest;
        }

        lock (_lock)
        {
            if (_young.Find(bytes) is { } added)
            {
                return added;
            }

            if (_young.Count >= MaxManifests || _young.Bytes + manifest.Bytes.Length > MaxBytes)
            {
                _old = _young;
                _young = new ManifestTable();
            }

            _young.Add(manifest);
            return manifest;
        }
    }

    /// <summary>Finds a manifest that has been read; null when there is none, or it has been dropped.</summary>
    public Manifest? Find(ReadOnlySpan<byte> bytes) => _young.Find(bytes) ?? _old.Find(bytes);

    /// <summary>
    /// Records a manifest whose schema needs a reader of its own. The oldest one of the type is dropped when there are too many: a session
    /// that already uses it continues to, and for all others it is new.
    /// </summary>
    public void AddForeign(Type type, Manifest manifest)
    {
        if (_foreign.Add(type, manifest) is { } oldest)
        {
            lock (_lock)
            {
                _young.Remove(oldest);
                _old.Remove(oldest);
            }

            registry.ReadPlans.Remove(oldest.Plans);
        }
    }
}

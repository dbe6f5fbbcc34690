using System.Collections.Concurrent;

namespace Wire;

/// <summary>
/// The manifests that a serializer has met, by their bytes. It takes a bounded number of bounded size: what comes after is
/// read without being kept, so that made-up manifests cost time and no memory.
/// </summary>
internal sealed class ManifestCache(TypeRegistry registry)
{
    private const int MaxManifests = 4096;
    // A parsed manifest takes up to forty times its bytes.
    private const int MaxBytes = 1 << 20;

    private readonly ConcurrentDictionary<ByteArrayKey, Manifest> _manifests = new(ByteArrayKey.Comparer.Instance);
    private int _count;
    private int _bytes;

    public Manifest Get(ReadOnlySpan<byte> bytes)
    {
        if (_manifests.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(bytes, out Manifest? manifest))
        {
            return manifest;
        }

        manifest = new Manifest(bytes.ToArray(), registry);
        if (_count < MaxManifests && _bytes + bytes.Length <= MaxBytes)
        {
            Interlocked.Increment(ref _count);
            Interlocked.Add(ref _bytes, bytes.Length);
            return _manifests.GetOrAdd(new ByteArrayKey(manifest.Bytes), manifest);
        }

        return manifest;
    }
}

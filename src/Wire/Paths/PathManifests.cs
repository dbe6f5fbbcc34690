using Wire.Manifests;

namespace Wire.Paths;

/// <summary>The manifests of a payload that stands alone, by their identifiers. A thread has one, for one payload at a time.</summary>
internal sealed class PathManifests
{
    // More are left to the general way.
    private const int Most = 32;

    [ThreadStatic]
    private static PathManifests? _ofThread;

    private readonly Manifest[] _manifests = new Manifest[Most];
    private int _count;
    private int _bytes;

    /// <summary>Begins with those of another payload.</summary>
    /// <param name="root">The manifest of its root; null for none.</param>
    public static PathManifests Begin(Manifest? root)
    {
        PathManifests own = _ofThread ??= new PathManifests();
        own._count = 0;
        own._bytes = 0;
        if (root is not null)
        {
            own.Add(root);
        }

        return own;
    }

    /// <summary>Adds one; false where there are too many, or too large ones.</summary>
    public bool TryAdd(Manifest manifest, PathLimits limits)
    {
        if (_count >= Math.Min(Most, limits.Manifests) || _bytes + (long)manifest.DefinitionLength > limits.ManifestBytes)
        {
            return false;
        }

        Add(manifest);
        return true;
    }

    /// <summary>Finds the one with an identifier; null where there is none.</summary>
    public Manifest? Find(uint number) => number < (uint)_count ? _manifests[number] : null;

    /// <summary>Forgets all.</summary>
    public void Clear()
    {
        Array.Clear(_manifests, 0, _count);
        _count = 0;
    }

    private void Add(Manifest manifest)
    {
        _manifests[_count++] = manifest;
        _bytes += manifest.DefinitionLength;
    }
}

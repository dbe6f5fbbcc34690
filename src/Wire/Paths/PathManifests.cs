using System.Runtime.CompilerServices;
using Wire.Manifests;

namespace Wire.Paths;

/// <summary>The first manifests of a payload that stands alone, by their identifiers.</summary>
internal struct PathManifests
{
    private const int Most = 8;

    private Slots _slots;
    private int _count;
    private int _bytes;

    public void Add(Manifest manifest)
    {
        _slots[_count++] = manifest;
        _bytes += manifest.DefinitionLength;
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

    public readonly Manifest? Find(uint number) => number < (uint)_count ? _slots[(int)number] : null;

    [InlineArray(Most)]
    private struct Slots
    {
        private Manifest? _first;
    }
}

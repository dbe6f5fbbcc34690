using Wire.Manifests;
using Wire.Skipping;
using Wire.Types;
using Wire.Values;

namespace Wire.Paths;

/// <summary>The limits of a serializer for walks along a path, and the manifests that it has met.</summary>
internal sealed class PathLimits(TypeRegistry registry)
{
    private const int MostLevels = 64;

    // Of the sets of types that payloads define.
    private const int MostTypes = 1024;

    private readonly Limits _limits = registry.Options.Limits;
    private int _types;

    // That of the last payload, which most define again.
    private Manifest? _last;

    /// <summary>
    /// Gets how many values one may be inside of: fewer than the limit, of which the root and an object without members are two that are
    /// not counted, and so few that they take little of a stack.
    /// </summary>
    public int Levels { get; } = Math.Min(MostLevels, registry.Options.Limits.MaxDepth) - 2;

    /// <summary>Gets the types in front of the root: none.</summary>
    public PathTypes NoTypes => field ??= new PathTypes(this);

    /// <summary>Gets the layouts that views share.</summary>
    public ViewLayouts Layouts { get; } = new();

    /// <summary>Gets the serializer, which is the general way.</summary>
    public Serializer Serializer => registry.Serializer;

    public int Elements => _limits.MaxElements;

    public int Manifests => _limits.MaxManifests;

    public int ManifestBytes => _limits.MaxManifestBytes;

    public long Bytes => _limits.MaxBytes;

    /// <summary>Returns whether so many objects may be passed over in a payload that numbers them.</summary>
    public bool AllowObjects(int objects) =>
        objects < _limits.MaxObjects && objects * (long)SkippedObjects.Cost <= _limits.MaxAllocation;

    /// <summary>Returns whether text may be read behind so many objects.</summary>
    public bool AllowText(int length, int objects) => length <= StringFormat.MaxUncounted
        || (length <= _limits.MaxStringLength
            && StringFormat.MemorySize(length) + (objects * (long)SkippedObjects.Cost) <= _limits.MaxAllocation);

    /// <summary>Returns whether one more set of types may be kept.</summary>
    public bool TryKeepTypes() => Interlocked.Increment(ref _types) <= MostTypes;

    /// <summary>Finds a manifest by its bytes; null where it is not valid.</summary>
    public Manifest? TryFind(ReadOnlySpan<byte> bytes)
    {
        if (_last is { } last && bytes.SequenceEqual(last.Bytes))
        {
            return last;
        }

        try
        {
            return _last = registry.Manifests.Get(bytes);
        }
        catch (WireFormatException)
        {
            // The general way says why.
            return null;
        }
    }
}

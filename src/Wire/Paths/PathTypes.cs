using Wire.Manifests;

namespace Wire.Paths;

/// <summary>
/// The types that a payload has defined up to a place. Payloads that define the same ones share an object, so that a place is kept without
/// memory of its own. Immutable but for what it has found, and thread-safe.
/// </summary>
internal sealed class PathTypes
{
    // More are left to the general way.
    private const int Most = 32;

    // Payloads choose which there are.
    private const int MostNext = 16;

    private readonly PathTypes? _before;
    private readonly Manifest? _last;
    private readonly int _count;
    private readonly int _bytes;
    private PathTypes[] _next = [];

    /// <summary>Begins without any.</summary>
    public PathTypes(PathLimits limits) => Limits = limits;

    private PathTypes(PathTypes before, Manifest last)
    {
        Limits = before.Limits;
        _before = before;
        _last = last;
        _count = before._count + 1;
        _bytes = before._bytes + last.DefinitionLength;
    }

    /// <summary>Gets the limits.</summary>
    public PathLimits Limits { get; }

    /// <summary>Gets those of a payload that begins with a type.</summary>
    /// <param name="root">Its manifest; null for none.</param>
    public PathTypes BeginWith(Manifest? root) => root is null ? this : Next(root.Bytes) ?? Keep(new PathTypes(this, root));

    /// <summary>Finds the manifest with an identifier; null where there is none.</summary>
    public Manifest? Find(uint number)
    {
        if (number >= (uint)_count)
        {
            return null;
        }

        PathTypes at = this;
        while (at._count - 1 != (int)number)
        {
            at = at._before!;
        }

        return at._last;
    }

    /// <summary>Adds a type; null where its manifest is not valid, or there are too many, or too large ones.</summary>
    /// <param name="manifest">The bytes of its manifest.</param>
    /// <param name="added">The manifest.</param>
    public PathTypes? Add(ReadOnlySpan<byte> manifest, out Manifest? added)
    {
        if (Next(manifest) is { } known)
        {
            added = known._last;
            return known;
        }

        added = _count < Math.Min(Most, Limits.Manifests) ? Limits.TryFind(manifest) : null;
        return added is null || _bytes + (long)added.DefinitionLength > Limits.ManifestBytes ? null : Keep(new PathTypes(this, added));
    }

    private PathTypes? Next(ReadOnlySpan<byte> manifest)
    {
        foreach (PathTypes next in Volatile.Read(ref _next))
        {
            if (manifest.SequenceEqual(next._last!.Bytes))
            {
                return next;
            }
        }

        return null;
    }

    // What is not kept is made again for each payload.
    private PathTypes Keep(PathTypes made)
    {
        PathTypes[] known = Volatile.Read(ref _next);
        if (known.Length < MostNext && Limits.TryKeepTypes())
        {
            // Of two threads that add one at a time, one has to add it again.
            Volatile.Write(ref _next, [.. known, made]);
        }

        return made;
    }
}

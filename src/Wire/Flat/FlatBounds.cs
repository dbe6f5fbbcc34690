using Wire.Types;

namespace Wire.Flat;

/// <summary>The most that values of a flat type take of a message.</summary>
/// <param name="Bytes">The number of bytes, without definitions of types.</param>
/// <param name="Memory">
/// The memory that reading takes for every byte: no two parts of a value begin at the same byte, so the sum over all kinds of parts bounds
/// it.
/// </param>
/// <param name="Depth">The number of levels of objects.</param>
internal readonly record struct FlatBounds(long Bytes, long Memory, int Depth)
{
    /// <summary>
    /// The maximal number of bytes of an object that holds others, with the definitions of types, and of any flat object to read: whoever
    /// reads it has it in memory, and nothing in it can be larger.
    /// </summary>
    public const int MaxBytes = 4096;

    /// <summary>Gets the bounds of an object with no members.</summary>
    public static FlatBounds None => default;

    /// <summary>The bounds of a value of fixed size.</summary>
    public static FlatBounds Fixed(int size) => new(size, 0, 0);

    /// <summary>The bounds of a value behind another.</summary>
    public FlatBounds And(FlatBounds other) => new(Bytes + other.Bytes, Memory + other.Memory, Math.Max(Depth, other.Depth));

    /// <summary>The bounds of a collection of such values.</summary>
    public FlatBounds Many(int elementSize) => this with { Bytes = MaxBytes, Memory = Memory + elementSize };

    /// <summary>The bounds of an object whose content is bounded by these.</summary>
    /// <param name="serializer">The object's value serializer.</param>
    /// <param name="leadBytes">The number of bytes in front of the content.</param>
    public FlatBounds InObject(ValueSerializer serializer, int leadBytes) =>
        new(Bytes + leadBytes, Memory + serializer.Measure(), Depth + 1);

    /// <summary>The bounds of a root whose content is bounded by these.</summary>
    public FlatBounds AsRoot(ValueSerializer serializer) => this with { Memory = Memory == 0 ? 0 : Memory + serializer.Measure() };

    /// <summary>Says whether no such value as the root of a message exceeds a limit.</summary>
    /// <param name="limits">The limits.</param>
    /// <param name="prefix">The number of bytes in front of it, header and manifest.</param>
    public bool Fit(Limits limits, int prefix)
    {
        // Text and objects may take more when they are read than this program would write.
        long bytes = Memory == 0 ? Bytes : Math.Max(Bytes, MaxBytes);
        return prefix + bytes <= limits.MaxBytes
            && Depth < limits.MaxDepth
            && (Memory == 0 || (bytes <= limits.MaxStringLength && (bytes + 1) * Memory <= limits.MaxAllocation))
            && (Depth == 0 || (bytes < limits.MaxObjects
                && bytes <= limits.MaxElements
                && prefix + bytes <= limits.MaxManifestBytes
                && FlatTypes.Most < limits.MaxManifests));
    }
}

/// <summary>The search for the bounds of a root's type: types that contain themselves have none.</summary>
/// <param name="Registry">The registry that owns the value serializers.</param>
internal sealed record FlatScope(TypeRegistry Registry)
{
    private const int MaxLevels = 16;

    private readonly HashSet<ValueSerializer> _above = [];
    private readonly HashSet<TypeEntry> _defined = [];

    /// <summary>Finds the bounds of what a type consists of; null when it contains itself, or is not flat.</summary>
    public FlatBounds? Inside(ValueSerializer type, Func<FlatScope, FlatBounds?> bound)
    {
        if (_above.Count == MaxLevels || !_above.Add(type))
        {
            return null;
        }

        FlatBounds? found = bound(this);
        _above.Remove(type);
        return found;
    }

    /// <summary>Says whether a message may define a type, in addition to those so far.</summary>
    public bool TakeType(TypeEntry entry) => _defined.Contains(entry) || (_defined.Count < FlatTypes.Most && _defined.Add(entry));
}

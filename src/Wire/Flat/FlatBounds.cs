
namespace Wire.Flat;

/// <summary>The most that flat objects of a type take of a message.</summary>
/// <param name="Objects">The number of kinds of objects below the root: a variable each. None for a leaf.</param>
/// <param name="Depth">The number of levels below the root.</param>
/// <param name="Memory">
/// The memory that reading takes for every byte: no two parts of an object begin at the same byte, so the sum over all kinds of parts
/// bounds it.
/// </param>
internal readonly record struct FlatBounds(int Objects, int Depth, long Memory)
{
    /// <summary>
    /// The maximal number of bytes of a flat message. Two bytes are enough for each length in it: also for that of text, which counts
    /// twice.
    /// </summary>
    public const int MaxBytes = 8192;

    /// <summary>
    /// The memory that is asked for where it is not known how much a message needs: as much as buffer writers often have.
    /// </summary>
    public const int CommonBytes = 4096;

    // Text takes so many bytes of memory for each of its bytes, with its object's header for the first one.
    private const int Text = 24;

    /// <summary>The bounds of a member of fixed size or of text.</summary>
    public static FlatBounds Least => new(0, 0, Text);

    public FlatBounds And(FlatBounds other) =>
        new(Objects + other.Objects, Math.Max(Depth, other.Depth), Memory + other.Memory);

    /// <summary>The bounds of an object whose content is bounded by these.</summary>
    public FlatBounds InObject(ValueSerializer serializer) => new(Objects + 1, Depth + 1, Memory + serializer.Measure());

    /// <summary>
    /// Gets the maximal number of bytes of such a message within the limits; zero when there is none.
    /// </summary>
    public int MaxBytesWithin(Limits limits)
    {
        long bytes = Math.Min(Math.Min(MaxBytes, limits.MaxBytes), Math.Min(limits.MaxStringLength, (limits.MaxAllocation / Memory) - 1));
        bool fits = true;
        if (Objects > 0)
        {
            // No two objects, or elements, begin at the same byte.
            bytes = Math.Min(Math.Min(bytes, limits.MaxManifestBytes), Math.Min(limits.MaxObjects, limits.MaxElements) - 1);
            fits = Depth < limits.MaxDepth && Objects < limits.MaxManifests;
        }

        return fits ? (int)Math.Max(0, bytes) : 0;
    }
}

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Format;
using Wire.Manifests;

namespace Wire.Skipping;

/// <summary>
/// The positions of skipped objects of a message, in members that the reader's type no longer has. If a kept member shares such an object,
/// it is read from there.
/// </summary>
internal sealed class SkippedObjects
{
    private readonly Dictionary<int, Entry> _entries = [];

    /// <summary>The memory of an entry, counted like other memory.</summary>
    public const int Cost = 96;

    public void Add(int number, in Entry entry) => _entries[number] = entry;

    /// <summary>Records the end of an object.</summary>
    public void EndObject(int number, long end, int objects, int manifests)
    {
        ref Entry entry = ref CollectionsMarshal.GetValueRefOrNullRef(_entries, number);
        if (!Unsafe.IsNullRef(ref entry))
        {
            entry = entry with { End = end, ObjectsBehind = objects, ManifestsBehind = manifests };
        }
    }

    public Entry? Find(int number) => _entries.TryGetValue(number, out Entry entry) ? entry : null;

    /// <summary>The position of an object.</summary>
    /// <param name="Begin">Where its tag is.</param>
    /// <param name="Manifests">The number of manifests known there, in a standalone payload.</param>
    /// <param name="Layout">The type information in the bytes.</param>
    public readonly record struct Entry(long Begin, int Manifests, Layout Layout)
    {
        /// <summary>The object around it; negative when there is none.</summary>
        public int Around { get; init; }

        /// <summary>Gets its end; 0 until that is known.</summary>
        public long End { get; init; }

        /// <summary>Gets the number of objects that the message has up to there.</summary>
        public int ObjectsBehind { get; init; }

        /// <summary>Gets the number of manifests that are known there, in a standalone payload.</summary>
        public int ManifestsBehind { get; init; }
    }

    /// <summary>
    /// The layout of an object in the bytes: a manifest, or the declared layout of its position. Neither where a tag is enough.
    /// </summary>
    /// <param name="Manifest">The manifest.</param>
    /// <param name="Declared">The declared layout of the position.</param>
    public readonly record struct Layout(Manifest? Manifest, Shape? Declared);
}

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Format;
using Wire.Manifests;

namespace Wire.Sessions;

/// <summary>
/// The positions of objects of a message that were passed over, because they stand in members that the reader's type no longer has. A kept
/// member may share them: then they are read from there.
/// </summary>
internal sealed class SkippedObjects
{
    private readonly Dictionary<int, Entry> _entries = [];

    /// <summary>The memory of an entry, counted like other memory.</summary>
    public const int Cost = 96;

    public void Add(int number, in Entry entry) => _entries[number] = entry;

    /// <summary>Takes note of where an object ends.</summary>
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
    /// <param name="Manifests">How many manifests were known there, in a payload that stands alone.</param>
    /// <param name="Layout">What the bytes say of its type.</param>
    public readonly record struct Entry(long Begin, int Manifests, Layout Layout)
    {
        /// <summary>The object around it; negative when there is none.</summary>
        public int Around { get; init; }

        /// <summary>Gets its end; 0 until that is known.</summary>
        public long End { get; init; }

        /// <summary>Gets the number of objects that the message has up to there.</summary>
        public int ObjectsBehind { get; init; }

        /// <summary>Gets the number of manifests that are known there, in a payload that stands alone.</summary>
        public int ManifestsBehind { get; init; }
    }

    /// <summary>
    /// The layout of an object, as the bytes tell it: a manifest, or that the position has the layout. Neither where a tag says all.
    /// </summary>
    /// <param name="Manifest">The manifest.</param>
    /// <param name="Declared">The layout that the position has.</param>
    /// <param name="Above">The layouts around that.</param>
    public readonly record struct Layout(Manifest? Manifest, Shape? Declared, Skipper.Levels? Above);
}

using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Slots;
using Wire.Types;

namespace Wire.Manifests;

/// <summary>
/// The bytes that announce, in one variable, an object of exactly the type it declares, in this program's own layout. They are learned from
/// what has been read in the ordinary way, with all its checks; until then nothing is recognized.
/// </summary>
/// <param name="slot">The variable.</param>
/// <param name="entry">The entry of its type.</param>
internal sealed class NestedType(IObjectSlot slot, TypeEntry entry)
{
    private Learned? _learned;
    private bool _isJudged;

    /// <summary>The entry of the type.</summary>
    public TypeEntry Entry => entry;

    /// <summary>The value serializer of the type.</summary>
    public ValueSerializer Serializer => entry.Serializer;

    /// <summary>Returns whether a byte stands for the type in a session.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Is(DeserializerSession session, byte tag) =>
        (_learned ?? Learn(session, tag)) is { } known && session.Manifests.Is(tag, known.Manifest);

    /// <summary>Finds how many bytes announce an object; 0 when they are not known to.</summary>
    /// <param name="reader">The reader, in front of them.</param>
    /// <param name="tag">The first of them.</param>
    /// <param name="defined">The manifest that they define, if they do.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Match(ref WireReader reader, byte tag, out Manifest? defined)
    {
        defined = null;
        if (tag >= Tag.FirstShortIdentifier)
        {
            return Is(reader.Session, tag) ? 1 : 0;
        }

        return tag == Tag.Definition ? MatchDefinition(ref reader, out defined)
            : tag == Tag.Declared && (_isJudged || IsJudged()) ? 1
            : 0;
    }

    /// <summary>Finds the byte that stands for the type in the current message.</summary>
    /// <param name="session">The session.</param>
    /// <param name="most">How many identifiers to look at.</param>
    /// <param name="tag">The byte.</param>
    public bool TryFindTag(DeserializerSession session, int most, out byte tag)
    {
        tag = Tag.Declared;
        return entry.HasOwnManifest
            ? (_learned ?? Learn(session, most)) is { } known && session.Manifests.TryFind(known.Manifest, most, out tag)
            : _isJudged || IsJudged();
    }

    private bool IsJudged() => _isJudged = !entry.HasOwnManifest && slot.IsExactJudged;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int MatchDefinition(ref WireReader reader, out Manifest? defined)
    {
        // In a session it carries a number, and may contradict another.
        defined = null;
        if (reader.Session.IsNumbered || (_learned ?? Learn(reader.Window)) is not { } known || !reader.Window.StartsWith(known.Definition))
        {
            return 0;
        }

        defined = known.Manifest;
        return known.Definition.Length;
    }

    private Learned? Learn(ReadOnlySpan<byte> window)
    {
        // Behind the tag is the length of the manifest, in one byte or two here.
        int length = window.Length > 2 ? window[1] : 0;
        int front = 2;
        if (length >= 0x80)
        {
            length = (length & 0x7F) | (window[2] << 7);
            front = 3;
        }

        return window.Length < front + length ? null : Learn(entry.Owner!.Manifests.Find(window.Slice(front, length)));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private Learned? Learn(DeserializerSession session, int most)
    {
        for (int i = 0; i < Math.Min(session.ManifestCount, most) && _learned is null; i++)
        {
            Learn(session, (byte)(Tag.FirstShortIdentifier + i));
        }

        return _learned;
    }

    private Learned? Learn(DeserializerSession session, byte tag) => Learn(session.Manifests.Find(tag));

    private Learned? Learn(Manifest? manifest) =>
        manifest is not null && ReferenceEquals(manifest.FindResolved(entry.Type), entry.Serializer)
            ? _learned = new Learned(manifest, ManifestDefinition.Define(manifest.Bytes))
            : null;

    private sealed record Learned(Manifest Manifest, byte[] Definition);
}

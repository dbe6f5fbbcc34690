using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Buffers;
using Wire.Flat;
using Wire.Format;
using Wire.Manifests;
using Wire.Sessions;
using Wire.Types;

namespace Wire.Compilation.Flat;

/// <summary>
/// The types of objects in flat ones, which take identifiers: in a standalone message in the order of their definitions, in a message of a
/// session those that the session knows.
/// </summary>
internal static class FlatTypes
{
    /// <summary>Writes what announces an object of a type for the first time in a message.</summary>
    /// <param name="destination">The destination.</param>
    /// <param name="room">The number of bytes that may be written there.</param>
    /// <param name="entry">The type.</param>
    /// <param name="known">The types that a session's reader knows; null for a standalone message.</param>
    /// <param name="next">The next identifier of a standalone message.</param>
    /// <param name="tag">The byte that stands for the type from now on.</param>
    /// <returns>
    /// The number of bytes written; <see cref="FlatType.NotFlat"/>, or another negative number when there is too little room.
    /// </returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Define(ref byte destination, int room, TypeEntry entry, WrittenTypes? known, ref int next, out int tag) =>
        DefineHere(ref destination, room, entry, known, ref next, out tag);

    /// <summary>Does so in the method that calls it.</summary>
    /// <inheritdoc cref="Define"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int DefineHere(ref byte destination, int room, TypeEntry entry, WrittenTypes? known, ref int next, out int tag)
    {
        if (known is not null)
        {
            bool isKnown = known.TryGetTag(entry, entry.Type, out byte found);
            destination = found;
            tag = found;
            return isKnown ? 1 : FlatType.NotFlat;
        }

        byte[] definition = entry.ExactManifest;
        tag = Tag.FirstShortIdentifier + next;
        if (definition.Length > room)
        {
            return -1;
        }

        next++;
        Blocks.Copy(definition, ref destination);
        return definition.Length;
    }

    /// <summary>Reads what announces an object of a type for the first time in a message.</summary>
    /// <param name="source">The first byte.</param>
    /// <param name="available">The number of bytes from there on.</param>
    /// <param name="type">The type.</param>
    /// <param name="session">The session; null for a standalone message.</param>
    /// <param name="next">The next identifier of a standalone message.</param>
    /// <param name="tag">The byte that stands for the type from now on.</param>
    /// <returns>The number of bytes read; negative when they do not announce it.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Match(ref byte source, int available, NestedType type, DeserializerSession? session, ref int next, ref int tag)
    {
        if (session is not null)
        {
            if (source < Tag.FirstShortIdentifier || !type.Is(session, source))
            {
                return -1;
            }

            tag = source;
            return 1;
        }

        byte[] definition = type.Entry.ExactManifest;
        if (definition.Length > available || !MemoryMarshal.CreateReadOnlySpan(ref source, definition.Length).SequenceEqual(definition))
        {
            return -1;
        }

        tag = Tag.FirstShortIdentifier + next++;
        return definition.Length;
    }
}

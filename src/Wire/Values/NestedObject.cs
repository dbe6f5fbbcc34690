using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Manifests;
using Wire.Types;

namespace Wire.Values;

/// <summary>
/// The beginning and end of an object inside another one in emitted code, where its variable declares exactly its type: the bytes that say
/// so, its costs and its step of the path. Whatever is out of the ordinary is left to <see cref="ObjectFormat"/>, before anything has been
/// written or read.
/// </summary>
internal static class NestedObject
{
    /// <summary>Begins an object that is written; false when it is to be written in the ordinary way.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="entry">The entry of its type, which has a manifest.</param>
    /// <param name="member">The number of the member that holds it.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool BeginWriting(ref WireWriter writer, TypeEntry entry, int member)
    {
        SerializerSession session = writer.Session;
        if (!session.Path.HasRoom || !session.Costs.TryTakeObject(entry.Serializer))
        {
            return false;
        }

        writer.Member = member;
        session.Types.WriteExact(ref writer, entry);
        session.Path.Step(member);
        // No member of it has been named yet: an error now belongs to the whole value.
        writer.Member = Sessions.GraphPath.Root;
        return true;
    }

    /// <summary>Ends an object that has been written.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void EndWriting(ref WireWriter writer) => writer.Session.Path.StepBack();

    /// <summary>The result of <see cref="BeginReading"/> for an object that is to be read in the ordinary way.</summary>
    public const int Ordinary = 0;

    /// <summary>The result of <see cref="BeginReading"/> for an object whose content follows.</summary>
    public const int Content = 1;

    /// <summary>The result of <see cref="BeginReading"/> for null.</summary>
    public const int Null = 2;

    /// <summary>Begins to read an object.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="type">Its type.</param>
    /// <param name="member">The number of the member that holds it.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int BeginReading(ref WireReader reader, NestedType type, int member)
    {
        if (reader.Unread == 0)
        {
            return Ordinary;
        }

        byte tag = reader.Position;
        if (tag == Tag.Null)
        {
            reader.Advance(1);
            return Null;
        }

        DeserializerSession session = reader.Session;
        if (!session.IsPlain
            || type.Match(ref reader, tag, out Manifest? defined) is not (> 0 and int size)
            || !session.Path.HasRoom
            || (defined is not null && !session.Manifests.HasRoom(defined, session.Limits))
            || !session.Costs.TryTakeObject(type.Serializer))
        {
            return Ordinary;
        }

        if (defined is not null)
        {
            session.Manifests.Add(defined);
        }

        reader.Advance(size);
        session.Path.Step(member);
        // No member of it has been named yet: an error now belongs to the whole value.
        reader.Member = Sessions.GraphPath.Root;
        return Content;
    }

    /// <summary>Ends an object that has been read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void EndReading(ref WireReader reader) => reader.Session.Path.StepBack();
}

using Wire.Equality;
using Wire.Errors;
using Wire.Sessions;
using Wire.Types;
using Wire.Values;

namespace Wire.Unknown;

/// <summary>Writes objects that may have kept unknown members, and what these hold.</summary>
internal static class UnknownFormat
{
    /// <summary>Writes an object of a class that keeps unknown members.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The object.</param>
    /// <param name="entry">Its class.</param>
    /// <param name="variants">The ways in which its objects are written.</param>
    /// <param name="declared">The type of the variable that holds it; null at the root.</param>
    public static void Write(ref WireWriter writer, object value, TypeEntry entry, UnknownVariants variants, Type? declared)
    {
        SerializerSession session = writer.Session;
        if (session.TracksReferences && session.Objects.WriteReference(ref writer, value))
        {
            return;
        }

        if (((IUnknownMembers)value).UnknownMembers is not { IsEmpty: false } unknown)
        {
            session.Costs.TakeObject(ref writer, entry.Serializer);
            session.Types.Write(ref writer, entry, declared);
            ObjectFormat.WriteBody(ref writer, value, entry.Serializer);
            return;
        }

        if (!session.Serializer.Options.VersionTolerance)
        {
            throw Fixed(ref writer, value, unknown);
        }

        UnknownVariants.Variant variant = variants.Find(unknown.Layout, entry, session.Serializer.Registry);
        session.Costs.TakeObject(ref writer, variant.Serializer);
        session.Types.WriteKept(ref writer, variant.Named, ReferenceEquals(entry.Type, declared) ? variant.Nameless : null);
        ObjectFormat.WriteBody(ref writer, value, variant.Serializer);
    }

    /// <summary>Refuses an object that has kept unknown members, where only those of its class can be written.</summary>
    public static void CheckNone(ref WireWriter writer, object value)
    {
        if (((IUnknownMembers)value).UnknownMembers is { IsEmpty: false } unknown)
        {
            throw Fixed(ref writer, value, unknown);
        }
    }

    /// <summary>Writes a kept member of an object, or what a kept object has inside.</summary>
    public static void WriteContent(ref WireWriter writer, UnknownContent content)
    {
        int at = 0;
        foreach (UnknownPart part in content.Parts)
        {
            writer.WriteBytes(content.Bytes.AsSpan(at..part.At));
            at = part.At;
            WriteObject(ref writer, part.Object, part.IsHome);
        }

        writer.WriteBytes(content.Bytes.AsSpan(at));
    }

    /// <summary>Takes a kept member of an object, or what a kept object has inside, apart for a comparison.</summary>
    public static void AddParts(GraphParts parts, UnknownContent content)
    {
        parts.AddBytes(content.Bytes);
        parts.Form = content.Parts.Length == 0 ? null
            : $"objects behind the bytes {string.Join(' ', content.Parts.Select(part => part.At))}";
        foreach (UnknownPart part in content.Parts)
        {
            if (part.Object.Real is { } real)
            {
                parts.Add(GraphPath.Root, null, real);
            }
            else
            {
                parts.Add(GraphPath.Root, UnknownObjectSerializer.Instance, part.Object);
            }
        }
    }

    private static void WriteObject(ref WireWriter writer, UnknownObject kept, bool isHome)
    {
        SerializerSession session = writer.Session;
        if (kept.Real is { } real)
        {
            WriteReal(ref writer, real);
            return;
        }

        if (session.TracksReferences)
        {
            if (!kept.HasIdentity)
            {
                session.Objects.SkipNumber();
            }
            else if (session.Objects.WriteReference(ref writer, kept))
            {
                return;
            }
        }

        if (kept.IsBound && !isHome && !session.IsPart)
        {
            throw Unplaced(ref writer);
        }

        session.Costs.TakeObject(ref writer, UnknownObjectSerializer.Instance);
        if (kept.Manifest is { } manifest)
        {
            session.Types.WriteKept(ref writer, manifest, null);
        }

        ObjectFormat.WriteBody(ref writer, kept, UnknownObjectSerializer.Instance);
    }

    // A reader that passes over the member and comes back for an object in it learns the types from the bytes alone.
    private static void WriteReal(ref WireWriter writer, object real)
    {
        WrittenTypes types = writer.Session.Types;
        bool before = types.AreNamed;
        types.AreNamed = writer.Session.TracksReferences;
        try
        {
            writer.Session.Serializer.Registry.Slot<object>().Write(ref writer, real);
        }
        finally
        {
            types.AreNamed = before;
        }
    }

    private static ObjectGraphException Fixed(ref WireWriter writer, object value, UnknownMembers unknown) => new(
        $"An object of type {value.GetType()} has unknown members ({ShortList.Show(unknown.Names)}), and is written in the fixed schema "
        + "of its class: by SerializeTyped, or with VersionTolerance off. Write it by Serialize with VersionTolerance on, or set its "
        + "UnknownMembers to null.",
        Place(ref writer));

    private static ObjectGraphException Unplaced(ref WireWriter writer) => new(
        "An unknown member shares an object with another one, and the bytes say the type of that object only in its first place, which is "
        + "not written, or not before. Set SerializerOptions.PreserveObjectReferences and keep the objects in their order, or set "
        + "UnknownMembers to null.",
        Place(ref writer));

    private static string Place(ref WireWriter writer) =>
        writer.Session.Path.Describe(writer.Member, writer.Session.Serializer.Registry);
}

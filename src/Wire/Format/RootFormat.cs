using Wire.Errors;
using Wire.Types;

namespace Wire.Format;

/// <summary>
/// One kind of root: how a payload begins (docs/format.md, clauses 1 and 2). The kinds are value types, so that the code around them is
/// compiled for each and nothing is boxed or looked up.
/// </summary>
internal interface IRootWriter
{
    /// <summary>The type of the root, for error messages; null for null.</summary>
    Type? Type { get; }

    void Write(ref WireWriter writer);
}

/// <summary>One kind of root, for reading.</summary>
internal interface IRootReader<T>
{
    T Read(ref WireReader reader);
}

/// <summary>A root of any type, as an object: the header, then a tagged value.</summary>
internal readonly struct ObjectRoot(object? value) : IRootWriter, IRootReader<object?>
{
    public Type? Type => value?.GetType();

    public void Write(ref WireWriter writer)
    {
        SerializerSession session = writer.Session;
        if (value is null)
        {
            session.WriteHeader(ref writer);
            writer.WriteByte(Tag.Null);
            return;
        }

        if (session.Roots.Find(value) is { } root)
        {
            session.WriteRoot(ref writer, root, value);
            return;
        }

        session.WriteHeader(ref writer);
        ObjectFormat.Write(ref writer, value, session.Roots.EntryOf(value.GetType()), declared: null);
    }

    public object? Read(ref WireReader reader)
    {
        RootFormat.ReadHeader(ref reader, typed: false);
        byte tag = reader.ReadByte();
        return tag switch
        {
            Tag.Null => null,
            >= Tag.FirstShortIdentifier or Tag.Defined or Tag.Definition => reader.Session.ReadRoot(ref reader, tag),
            _ => reader.Session.ReadTagged(ref reader, tag, declared: null),
        };
    }
}

/// <summary>A root of a value type that is not nullable: the header, its tag or manifest, and the value without boxing it.</summary>
internal readonly struct ValueRoot<T>(T value) : IRootWriter, IRootReader<T>
{
    public Type? Type => typeof(T);

    public void Write(ref WireWriter writer)
    {
        SerializerSession session = writer.Session;
        TypeEntry entry = session.Roots.EntryOf(typeof(T));
        session.WriteHeader(ref writer);
        if (entry.IsTracked)
        {
            session.Costs.TakeObject(ref writer, entry.Serializer);
            if (session.TracksReferences)
            {
                session.Objects.SkipNumber();
            }
        }

        session.Types.Write(ref writer, entry, declared: null);
        ((ValueSerializer<T>)entry.Serializer).Write(ref writer, value);
    }

    public T Read(ref WireReader reader)
    {
        RootFormat.ReadHeader(ref reader, typed: false);
        byte tag = reader.ReadByte();
        if (tag == Tag.Null)
        {
            return ThrowHelper.Format<T>(WireFormatError.TypeMismatch, $"The payload holds null, which is not a {typeof(T)}.");
        }

        DeserializerSession session = reader.Session;
        ValueSerializer? serializer = tag is >= Tag.FirstShortIdentifier or Tag.Defined or Tag.Definition
            ? session.ReadManifest(ref reader, tag).Serializer(session, null)
            : BuiltInTypes.IsTag(tag) ? BuiltInTypes.ByTag(tag) : null;
        if (serializer is ValueSerializer<T> typed)
        {
            session.TrackRootValue(tag, typed);
            return typed.Read(ref reader);
        }

        object value = serializer is null || BuiltInTypes.IsTag(tag)
            ? session.ReadTagged(ref reader, tag, declared: null)
            : session.ReadBody(ref reader, serializer);
        return ObjectFormat.Fits<T>(value) ? (T)value : ObjectFormat.Mismatch<T>(value);
    }
}

/// <summary>
/// A root whose type both sides know: the header, the fingerprint of its schema, and the value of that type.
/// </summary>
internal readonly struct KnownRoot<T>(T value) : IRootWriter, IRootReader<T>
{
    public Type? Type => value?.GetType();

    public void Write(ref WireWriter writer)
    {
        SerializerSession session = writer.Session;
        session.Roots.Typed<T>().Write(ref writer, value);
    }

    public T Read(ref WireReader reader)
    {
        RootFormat.ReadHeader(ref reader, typed: true);
        return reader.Session.Roots.Typed<T>().Read(ref reader);
    }
}

/// <summary>The part common to all roots: the header.</summary>
internal static class RootFormat
{
    /// <summary>Reads the header of a payload with a typed or untyped root.</summary>
    public static void ReadHeader(ref WireReader reader, bool typed)
    {
        if (ReadHeader(ref reader) != typed)
        {
            ThrowHelper.Format(WireFormatError.Header, typed
                ? "The payload carries its own root type: read it with Deserialize, not DeserializeTyped."
                : "The payload was written by SerializeTyped: read it with DeserializeTyped.");
        }
    }

    /// <summary>Reads the header of a payload.</summary>
    /// <returns>True if its root is typed.</returns>
    public static bool ReadHeader(ref WireReader reader)
    {
        byte header = reader.ReadByte();
        if (!PayloadHeader.IsKnown(header))
        {
            PayloadHeader.Refuse(header, reader.Window);
        }

        reader.Session.BeginMessage(header);
        return (header & PayloadHeader.Typed) != 0;
    }
}

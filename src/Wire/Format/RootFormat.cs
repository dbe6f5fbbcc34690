namespace Wire.Format;

/// <summary>A payload: the header, for a typed one the fingerprint of the root's schema, and the root (docs/format.md, clauses 1 and 2).</summary>
internal static class RootFormat
{
    public static void Write<T>(ref WireWriter writer, T value, bool typed)
    {
        SerializerSession session = writer.Session;
        bool references = session.Serializer.Options.PreserveObjectReferences;
        byte header = (byte)(Header.Version | (typed ? Header.Typed : 0) | (references ? Header.References : 0));
        if (typed)
        {
            TypedRoot<T> root = session.Serializer.Registry.TypedRoot<T>();
            writer.WriteByte(header);
            writer.WriteFixed(root.Fingerprint);
            root.Write(ref writer, value);
        }
        else if (value is null)
        {
            writer.WriteByte(header);
            writer.WriteByte(Tag.Null);
        }
        else if (typeof(T).IsValueType)
        {
            TypeEntry entry = session.RootEntry(typeof(T) == value.GetType() ? typeof(T) : value.GetType());
            writer.WriteByte(header);
            if (references && entry.IsTracked)
            {
                session.TrackRootValue();
            }

            session.WriteType(ref writer, entry, declared: null);
            if (entry.Serializer is ValueSerializer<T> serializer)
            {
                serializer.Write(ref writer, value);
            }
            else
            {
                entry.Serializer.WriteObject(ref writer, value);
            }
        }
        else
        {
            TypeEntry entry = session.RootEntry(value.GetType());
            writer.WriteByte(header);
            ObjectFormat.Write(ref writer, value, entry, declared: null);
        }
    }

    public static T Read<T>(ref WireReader reader, bool typed)
    {
        byte header = reader.ReadByte();
        if ((header & Header.VersionMask) != Header.Version || (header & ~(Header.VersionMask | Header.KnownFlags)) != 0)
        {
            Throw.Format(WireFormatError.Header, $"0x{header:X2} is not the header of a payload of format version {Header.Version >> 4}.");
        }

        if ((header & Header.Typed) != 0 != typed)
        {
            Throw.Format(WireFormatError.Header, typed
                ? "The payload carries its own root type: read it with Deserialize, not DeserializeTyped."
                : "The payload was written by SerializeTyped: read it with DeserializeTyped.");
        }

        if ((header & Header.References) != 0)
        {
            reader.Session.BeginTracking();
        }

        if (typed)
        {
            return reader.Session.Serializer.Registry.TypedRoot<T>().Read(ref reader);
        }

        byte tag = reader.ReadByte();
        if (tag == Tag.Null)
        {
            return default(T) is null
                ? default!
                : Throw.Format<T>(WireFormatError.TypeMismatch, $"The payload holds null, which is no {typeof(T)}.");
        }

        object value = reader.Session.ReadTagged(ref reader, tag, declared: null);
        return value is T result ? result : ObjectFormat.Mismatch<T>(value);
    }
}

using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Format;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Types;

namespace Wire.Values;

/// <summary>
/// A whole payload (docs/format.md, clauses 1 and 2): the header, then the root. A root of a value type that is not nullable is written
/// unboxed, and of a typed root both sides know the type; any other is written as an object, whatever <typeparamref name="T"/> is.
/// </summary>
/// <param name="value">The root.</param>
/// <param name="isTyped">True if the reader knows <typeparamref name="T"/>.</param>
internal readonly struct MessageRoot<T>(T value, bool isTyped = false) : IMessage
{
    /// <inheritdoc/>
    public Type? RootType => value?.GetType();

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        SerializerSession session = writer.Session;
        if (isTyped)
        {
            session.Serializer.Registry.TypedPlans.Get<T>().Write(ref writer, value);
        }
        else if (default(T) is not null)
        {
            WriteUnboxed(ref writer);
        }
        else if (value is null)
        {
            session.WriteHeader(ref writer);
            writer.WriteByte(Tag.Null);
        }
        else if (session.FindPlan(value, out ushort identifier) is { } plan)
        {
            session.WriteRoot(ref writer, plan, identifier, value);
        }
        else
        {
            session.WriteHeader(ref writer);
            ObjectFormat.Write(ref writer, value, session.EntryOf(value.GetType()), declared: null);
        }
    }

    public static T Read(ref WireReader reader, bool isTyped)
    {
        if (isTyped)
        {
            MessageHeader.Read(ref reader, isTyped: true);
            return reader.Session.Serializer.Registry.TypedPlans.Get<T>().Read(ref reader);
        }

        long end = MessageHeader.ReadOuter(ref reader);
        T value = ReadTagged(ref reader);
        if (end >= 0)
        {
            MessageHeader.ReadSequences(ref reader, end);
        }

        return value;
    }

    private static T ReadTagged(ref WireReader reader)
    {
        byte tag = reader.ReadByte();
        bool hasManifest = tag is >= Tag.FirstShortIdentifier or Tag.Defined or Tag.Definition;
        if (typeof(T).IsValueType)
        {
            return ReadUnboxed(ref reader, tag, hasManifest);
        }

        object? value = tag == Tag.Null ? null
            : hasManifest ? reader.Session.ReadRoot(ref reader, tag)
            : tag == Tag.Vector ? reader.Session.ReadRootVector(ref reader)
            : reader.Session.ReadTagged(ref reader, tag, declared: null);
        return Unsafe.As<object?, T>(ref value);
    }

    private void WriteUnboxed(ref WireWriter writer)
    {
        SerializerSession session = writer.Session;
        TypeEntry entry = session.EntryOf(typeof(T));
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
        var serializer = (ValueSerializer<T>)entry.Serializer;
        if (serializer.IsLeaf)
        {
            serializer.Write(ref writer, value);
            return;
        }

        // It takes a level as it does in a box: who asks for an object reads it as one. At the root there is stack.
        session.Path.Enter(writer.Member);
        writer.Member = GraphPath.Root;
        serializer.Write(ref writer, value);
        writer.Member = session.Path.Exit();
    }

    private static T ReadUnboxed(ref WireReader reader, byte tag, bool hasManifest)
    {
        if (tag == Tag.Null)
        {
            return default(T) is null ? default! : ThrowHelper.Format<T>(
                WireFormatError.TypeMismatch,
                $"The payload holds null, which is not a {typeof(T)}. If null is a value, ask for {typeof(T).CSharpName()}?.");
        }

        DeserializerSession session = reader.Session;
        ValueSerializer? serializer = hasManifest ? session.ReadManifest(ref reader, tag).RootSerializer(session)
            : tag == Tag.Vector ? session.Serializer.Registry.Vector(reader.ReadByte(), typeof(T))
            : TagTypes.IsTag(tag) ? session.Serializer.Registry.Scalar(tag, typeof(T))
            : null;
        if (serializer is ValueSerializer<T> typed)
        {
            session.TrackRootValue(tag, typed);
            return typed.Read(ref reader);
        }

        object value = serializer is null || TagTypes.IsTag(tag)
            ? session.ReadTagged(ref reader, tag, declared: null)
            : session.ReadBody(ref reader, serializer);
        return ObjectFormat.Fits<T>(value) ? (T)value : throw ObjectFormat.OtherRoot(typeof(T), value);
    }
}

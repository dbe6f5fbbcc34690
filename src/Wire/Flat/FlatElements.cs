using System.Runtime.CompilerServices;
using Wire.Manifests;
using Wire.Slots;
using Wire.Types;

namespace Wire.Flat;

/// <summary>
/// Flat code for the elements of collections: objects without objects in them, of exactly the declared type, or pairs of a key of fixed
/// size or text and such an object. It takes many at a time, and stops before an element that is out of the ordinary, so that the caller
/// treats that one as any other, and goes on.
/// </summary>
/// <param name="slot">The variable of the objects.</param>
/// <param name="entry">The entry of its type.</param>
/// <param name="pair">The value serializer of pairs; null for the objects alone.</param>
internal sealed class FlatElements(IObjectSlot slot, TypeEntry entry, ValueSerializer? pair)
{
    // Identifiers are looked for one after the other.
    private const int MaxTypes = 32;

    private readonly NestedType _type = new(slot, entry);
    private readonly FlatType _objects = entry.Serializer.Flat!;
    private FlatElementsWriter? _writer;
    private FlatElementsReader? _reader;

    /// <summary>Writes elements.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="first">The first element.</param>
    /// <param name="count">How many there are.</param>
    /// <returns>How many have been written.</returns>
    public int Write(ref WireWriter writer, ref byte first, int count)
    {
        SerializerSession session = writer.Session;
        if (!_objects.IsWorthWriting(count) || !session.Path.HasRoom || !session.Types.TryGetTag(entry, entry.Type, out byte tag))
        {
            return 0;
        }

        FlatElementsWriter code = _writer ??= CreateWriter();
        return FlatType.Write(code, ref writer, ref first, count, entry.Serializer, tag);
    }

    /// <summary>Reads elements.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="first">The first element.</param>
    /// <param name="count">How many there are.</param>
    /// <returns>How many have been read.</returns>
    public int Read(ref WireReader reader, ref byte first, int count)
    {
        DeserializerSession session = reader.Session;
        if (!_objects.IsWorthReading(count) || !session.ReadsFlat || !_type.TryFindTag(session, MaxTypes, out byte tag))
        {
            return 0;
        }

        FlatElementsReader code = _reader ??= CreateReader();
        return FlatType.Read(code, ref reader, ref first, count, entry.Serializer, tag);
    }

    /// <summary>Reads objects over those of the caller.</summary>
    /// <inheritdoc cref="Read"/>
    public int ReadOver(ref WireReader reader, ref byte first, int count) =>
        pair is null && reader.Session.ReadsFlat && _type.TryFindTag(reader.Session, MaxTypes, out byte tag)
            ? _objects.ReadOver(ref reader, ref first, count, entry.Serializer, tag)
            : 0;

    /// <summary>Compiles the code, however few elements there have been.</summary>
    public void Prepare()
    {
        RuntimeHelpers.PrepareDelegate(_writer ??= CreateWriter());
        RuntimeHelpers.PrepareDelegate(_reader ??= CreateReader());
        _objects.CountEnough();
    }

    private FlatElementsWriter CreateWriter() => pair is null ? _objects.ObjectsWriter : _objects.CompilePairsWriter(pair);

    private FlatElementsReader CreateReader() => pair is null ? _objects.ObjectsReader : _objects.CompilePairsReader(pair);
}

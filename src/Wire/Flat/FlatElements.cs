using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Compilation;
using Wire.Manifests;
using Wire.Types;
using Wire.ValueSerializers;
using Wire.ValueSerializers.Collections;

namespace Wire.Flat;

/// <summary>
/// Straight code for the elements of collections: objects without objects in them, of exactly the declared type, or pairs of a key of fixed
/// size or text and such an object. It takes many at a time, and stops before an element that is out of the ordinary, so that the caller
/// treats that one as any other, and goes on.
/// </summary>
/// <param name="element">The value serializer of the elements.</param>
/// <param name="slot">The variable of the objects.</param>
/// <param name="entry">The entry of its type.</param>
internal sealed class FlatElements(ValueSerializer element, IObjectSlot slot, TypeEntry entry)
{
    // Identifiers are looked for one after the other.
    private const int MaxTypes = 32;

    private readonly NestedType _type = new(slot, entry);
    private readonly FlatType _objects = entry.Serializer.Flat!;
    private FlatElementsWriter? _writer;
    private FlatElementsReader? _reader;

    /// <summary>Makes the code for elements; null where there is none.</summary>
    public static FlatElements? TryCreate(ValueSerializer element) =>
        (element is IPairSerializer pair ? FlatScope.IsStraight(pair.Key) && FieldsOf(element) is not null ? pair.Value : null : element)
            is IObjectSlot { ExactEntry: { Prefix: null, Serializer.Flat.IsLeaf: true } entry } slot
            ? new FlatElements(element, slot, entry)
            : null;

    /// <summary>The fields of a pair; null when it has none of these names.</summary>
    public static (FieldInfo Key, FieldInfo Value)? FieldsOf(ValueSerializer pair) =>
        Field(pair.Type, "key") is { } key && Field(pair.Type, "value") is { } value ? (key, value) : null;

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
        if (!_objects.IsWorthReading(count) || !session.ReadsStraight || !_type.TryFindTag(session, MaxTypes, out byte tag))
        {
            return 0;
        }

        FlatElementsReader code = _reader ??= CreateReader();
        return FlatType.Read(code, ref reader, ref first, count, entry.Serializer, tag);
    }

    /// <summary>Compiles the code, however few elements there have been.</summary>
    public void Prepare()
    {
        RuntimeHelpers.PrepareDelegate(_writer ??= CreateWriter());
        RuntimeHelpers.PrepareDelegate(_reader ??= CreateReader());
        _objects.CountEnough();
    }

    private FlatElementsWriter CreateWriter() =>
        element is IPairSerializer ? FlatWriterCompiler.CompilePairs(element) : _objects.ObjectsWriter;

    private FlatElementsReader CreateReader() =>
        element is IPairSerializer ? FlatReaderCompiler.CompilePairs(element) : _objects.ObjectsReader;

    private static FieldInfo? Field(Type type, string name) => type.GetField(name, MemberFinder.DeclaredInstance);
}

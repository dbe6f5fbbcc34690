using System.Runtime.CompilerServices;
using Wire.Sessions;
using Wire.Sessions.Objects;

namespace Wire.Flat;

/// <summary>Writes a whole message whose root is a flat object.</summary>
/// <param name="destination">The destination.</param>
/// <param name="room">The number of bytes that may be written there.</param>
/// <param name="value">The root, an object of exactly the type.</param>
/// <param name="tag">The byte that stands for its type in a message of a session.</param>
/// <param name="known">The types that the session's reader knows; null for a standalone message.</param>
/// <returns>
/// The number of bytes written; <see cref="FlatType.NotFlat"/>; or, when there is too little room, the complement of the number of bytes
/// that are needed at least.
/// </returns>
internal delegate int FlatWriter(ref byte destination, int room, object value, byte tag, WrittenTypes? known);

/// <summary>Reads a whole message whose root is a flat object.</summary>
/// <param name="source">The payload.</param>
/// <param name="length">How many bytes it has, with those that follow.</param>
/// <param name="session">The session that it belongs to; null for a standalone message.</param>
/// <param name="unread">How many bytes follow it, which is set only where some do; a null reference when none may.</param>
/// <returns>The root; null when the bytes are not such a message.</returns>
/// <exception cref="WireFormatException">A value is not valid. The exception has no position.</exception>
internal delegate object? FlatReader(ref byte source, int length, DeserializerSession? session, ref int unread);

/// <summary>Reads a whole message whose root is a flat object, which holds no others, into an object.</summary>
/// <param name="source">The payload.</param>
/// <param name="length">How many bytes it has.</param>
/// <param name="target">The object, of exactly the type.</param>
/// <returns>False when the bytes are not such a message; the object may then be changed already.</returns>
/// <exception cref="WireFormatException">A value is not valid. The exception has no position.</exception>
internal delegate bool FlatOverwriter(ref byte source, int length, object target);

/// <summary>Writes the first elements of a collection, as long as they are in flat code's reach and fit the window.</summary>
/// <param name="writer">The writer.</param>
/// <param name="first">The first element.</param>
/// <param name="count">How many there are.</param>
/// <param name="tag">The byte that stands for the type of their objects.</param>
/// <returns>The number of elements written.</returns>
internal delegate int FlatElementsWriter(ref WireWriter writer, ref byte first, int count, byte tag);

/// <summary>Reads the first elements of a collection, as long as they are in flat code's reach and lie in the window.</summary>
/// <param name="reader">The reader.</param>
/// <param name="first">The first element.</param>
/// <param name="count">How many there are.</param>
/// <param name="tag">The byte that stands for the type of their objects.</param>
/// <param name="done">The number of elements read, also when a value is not valid: then the reader is at the element with it.</param>
/// <exception cref="WireFormatException">A value is not valid. The exception has no position.</exception>
internal delegate void FlatElementsReader(ref WireReader reader, ref byte first, int count, byte tag, ref int done);

/// <summary>
/// The flat code for the flat objects of a class: those of values of fixed size, text, and small trees of objects, arrays and lists
/// whose types the declared types determine. Such an object is written to and read from one piece of memory without a session: it is so
/// small that one look at the limits beforehand replaces every count.
/// </summary>
/// <param name="bounds">What its objects take.</param>
internal abstract class FlatType(FlatBounds bounds)
{
    /// <summary>
    /// The result of a <see cref="FlatWriter"/> for an object that is not flat: something in it is of another type than declared, or large.
    /// </summary>
    public const int NotFlat = int.MinValue;

    // Fewer objects are not worth compiling code for.
    private const int MinObjects = 16;

    private FlatElementsWriter? _writer;
    private FlatElementsReader? _reader;
    private FlatElementsReader? _overwriter;
    private int _written;
    private int _read;

    /// <summary>Gets what its objects take.</summary>
    public FlatBounds Bounds => bounds;

    /// <summary>Gets whether its objects hold no others.</summary>
    public bool IsLeaf => bounds.Objects == 0;

    /// <summary>Writes leaves that are elements of a collection, or a single one.</summary>
    public FlatElementsWriter ObjectsWriter => _writer ??= CompileObjectsWriter();

    /// <summary>Reads leaves that are elements of a collection, or a single one.</summary>
    public FlatElementsReader ObjectsReader => _reader ??= CompileObjectsReader();

    /// <summary>Writes one leaf that is no element of a collection; false when it is to be written in the ordinary way.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryWriteObject(ref WireWriter writer, ref byte variable, ValueSerializer serializer, byte tag) =>
        writer.Session.WritesFlat && WriterOf(1) is { } code && Write(code, ref writer, ref variable, 1, serializer, tag) == 1;

    /// <summary>Reads one leaf that is no element of a collection; false when it is to be read in the ordinary way.</summary>
    public bool TryReadObject(ref WireReader reader, ref byte variable, ValueSerializer serializer, byte tag) =>
        reader.Session.ReadsFlat && ReaderOf(1) is { } code && Read(code, ref reader, ref variable, 1, serializer, tag) == 1;

    /// <summary>Returns the code that writes objects; null as long as there have been too few for it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public FlatElementsWriter? WriterOf(int count) => IsWorthWriting(count) ? ObjectsWriter : null;

    /// <summary>Returns the code that reads objects; null as long as there have been too few for it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public FlatElementsReader? ReaderOf(int count) => IsWorthReading(count) ? ObjectsReader : null;

    /// <summary>Writes objects by their code, and counts what they cost.</summary>
    /// <param name="code">The code.</param>
    /// <param name="writer">The writer.</param>
    /// <param name="first">The first element, a reference to an object of the type, or a pair.</param>
    /// <param name="count">How many elements there are.</param>
    /// <param name="serializer">The value serializer of the type.</param>
    /// <param name="tag">The byte that stands for it.</param>
    /// <returns>The number of elements written; the one behind them is to be written in the ordinary way.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Write(
        FlatElementsWriter code, ref WireWriter writer, ref byte first, int count, ValueSerializer serializer, byte tag)
    {
        ref WriteCosts costs = ref writer.Session.Costs;
        int written = code(ref writer, ref first, costs.CountOf(serializer, count), tag);
        costs.TakeObjects(serializer, written);
        return written;
    }

    /// <summary>Reads objects by their code, and counts what they cost.</summary>
    /// <param name="code">The code.</param>
    /// <param name="reader">The reader, in front of the tag.</param>
    /// <param name="first">The first element, a reference that can hold an object of the type, or a pair.</param>
    /// <param name="count">How many elements there are.</param>
    /// <param name="serializer">The value serializer of the type, which has been judged.</param>
    /// <param name="tag">The byte that stands for it.</param>
    /// <returns>The number of elements read; the one behind them is to be read in the ordinary way.</returns>
    public static int Read(
        FlatElementsReader code, ref WireReader reader, ref byte first, int count, ValueSerializer serializer, byte tag)
    {
        ref ReadCosts costs = ref reader.Session.Costs;
        int read = 0;
        try
        {
            code(ref reader, ref first, costs.CountOf(serializer, count), tag, ref read);
        }
        catch (WireFormatException)
        {
            // The reader is at the element: reading it again in the ordinary way reports the error's position.
        }

        costs.TakeObjects(serializer, read);
        return read;
    }

    /// <summary>Reads leaves over those of the caller that are elements of a collection, or over a single one.</summary>
    /// <param name="reader">The reader, in front of the tag.</param>
    /// <param name="first">The first element, a reference that can hold an object of the type.</param>
    /// <param name="count">How many elements there are.</param>
    /// <param name="serializer">The value serializer of the type, which has been judged.</param>
    /// <param name="tag">The byte that stands for it.</param>
    /// <returns>The number of elements read; the one behind them is to be read in the ordinary way.</returns>
    public int ReadOver(ref WireReader reader, ref byte first, int count, ValueSerializer serializer, byte tag)
    {
        if (!reader.Session.ReadsFlat || !IsWorthReading(count))
        {
            return 0;
        }

        OverwrittenObjects overwritten = reader.Session.Overwritten!;
        int before = overwritten.Count;
        int read = Read(_overwriter ??= CompileObjectsOverwriter() ?? NoObjects, ref reader, ref first, count, serializer, tag);
        overwritten.GiveBack(before + read);
        return read;
    }

    /// <summary>Returns whether there have been enough objects for code that writes many.</summary>
    public bool IsWorthWriting(int count) => IsWorthIt(ref _written, count);

    /// <summary>Returns whether there have been enough objects for code that reads many.</summary>
    public bool IsWorthReading(int count) => IsWorthIt(ref _read, count);

    /// <summary>Compiles the code for leaves, however few there have been.</summary>
    public void PrepareObjects()
    {
        RuntimeHelpers.PrepareDelegate(ObjectsWriter);
        RuntimeHelpers.PrepareDelegate(ObjectsReader);
        CountEnough();
    }

    /// <summary>Treats later objects as if there had been enough before them.</summary>
    public void CountEnough() => _written = _read = MinObjects;

    /// <summary>Makes the code for messages that begin with these bytes.</summary>
    /// <param name="prefix">The bytes in front of the members.</param>
    /// <param name="types">How many types they define.</param>
    /// <param name="takesTag">True if the byte that stands for the type follows them.</param>
    public abstract FlatWriter CompileWriter(byte[] prefix, int types, bool takesTag);

    /// <summary>Makes the code for payloads that begin with these bytes.</summary>
    /// <param name="prefix">The bytes in front of the members.</param>
    /// <param name="types">How many types they define.</param>
    /// <param name="isKnown">True if callers have compared them.</param>
    /// <param name="maxLength">The maximal length of a payload, with the bytes that follow.</param>
    public abstract FlatReader CompileReader(byte[] prefix, int types, bool isKnown, int maxLength);

    /// <summary>
    /// Makes the code that reads payloads which begin with these bytes into objects; null where it is not enough, because objects hold
    /// others, or fields that the payload has not.
    /// </summary>
    /// <param name="prefix">The bytes in front of the members.</param>
    /// <param name="maxLength">The maximal length of a payload.</param>
    public virtual FlatOverwriter? CompileOverwriter(byte[] prefix, int maxLength) => null;

    /// <summary>Returns whether pairs of a key and such an object can be elements of a collection.</summary>
    public virtual bool TakesPairs(ValueSerializer pair) => true;

    /// <summary>Makes the code that writes pairs of a key and such an object, a leaf.</summary>
    public abstract FlatElementsWriter CompilePairsWriter(ValueSerializer pair);

    /// <summary>Makes the code that reads pairs of a key and such an object, a leaf.</summary>
    public abstract FlatElementsReader CompilePairsReader(ValueSerializer pair);

    /// <summary>Makes the code that writes leaves.</summary>
    protected abstract FlatElementsWriter CompileObjectsWriter();

    /// <summary>Makes the code that reads leaves.</summary>
    protected abstract FlatElementsReader CompileObjectsReader();

    /// <summary>Makes the code that reads leaves into others; null where objects have fields that the payload has not.</summary>
    protected virtual FlatElementsReader? CompileObjectsOverwriter() => null;

    private static void NoObjects(ref WireReader reader, ref byte first, int count, byte tag, ref int done)
    {
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsWorthIt(ref int seen, int count)
    {
        if (seen >= MinObjects)
        {
            return true;
        }

        seen += Math.Min(count, MinObjects);
        return false;
    }
}

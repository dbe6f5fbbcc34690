using Wire.Runtime;

namespace Wire;

/// <summary>The exception for bytes that are not a readable payload: thrown for bad input only.</summary>
/// <remarks>Its message is one line for logs: control and format characters of the payload are escaped, and long texts are cut.</remarks>
public class WireFormatException : FormatException
{
    // The parts of a message are cut before this; it is for those that show several names.
    private const int MaxReason = 4 * OneLine.MaxPart;

    /// <summary>The message for a stream of which nothing is left.</summary>
    internal const string AtEndOfStream =
        "Nothing is left of the stream from its position on: stop there if its last value has been read; if it has just been written, "
        + "set its Position to 0.";

    /// <summary>The message for a frame of no bytes.</summary>
    internal const string EmptyFrame = "The frame is empty: there is no payload in it. Its writer has to write a value into each frame.";

    // The message where the input ends before its first byte.
    private string _empty =
        "The input is empty. Pass the bytes that were written; a stream that has just been written is read from its beginning: set its "
        + "Position to 0.";

    internal WireFormatException(WireFormatError error, string reason, Exception? inner = null)
        : base(OneLine.Show(reason, MaxReason), inner) => Error = error;

    /// <summary>Gets the kind of fault, for programs.</summary>
    public WireFormatError Error { get; }

    /// <summary>
    /// Gets the offset at which reading stopped, in bytes from the beginning of the payload; -1 when no payload was being read.
    /// </summary>
    public long Offset { get; private set; } = -1;

    /// <summary>
    /// The members on the way from the root to the value that could not be read, such as <c>Lines[2].Price</c>; empty at the root.
    /// </summary>
    public string MemberPath { get; private set; } = "";

    /// <inheritdoc/>
    public override string Message => Offset < 0
        ? MemberPath.Length == 0 ? base.Message : $"{base.Message} (in {MemberPath})"
        : MemberPath.Length > 0 ? $"{base.Message} (at byte {Offset}, in {MemberPath})"
        : Error == WireFormatError.Truncated && Offset == 0 ? _empty
        : $"{base.Message} (at byte {Offset})";

    /// <summary>
    /// Gets the calls that led here, without those inside Wire: the first is the outermost method of Wire, which the program called, unless
    /// the JIT compiler has put that into its caller, or it has only returned a task.
    /// <see cref="System.Diagnostics.StackTrace(Exception)"/> has them all.
    /// </summary>
    public override string? StackTrace => CallerTrace.Of(this, base.StackTrace);

    /// <summary>Says what the input is, if it has ended before its first byte.</summary>
    /// <param name="empty">The message then.</param>
    internal void TellEmpty(string empty) => _empty = empty;

    /// <summary>Adds the location, once: the innermost reader has the most precise one.</summary>
    internal void Locate(long offset, string memberPath)
    {
        if (Offset < 0)
        {
            Offset = offset;
            MemberPath = memberPath;
        }
    }

    /// <summary>Adds the place of the payload in what it is a part of.</summary>
    internal void LocateIn(string place) =>
        MemberPath = MemberPath.Length == 0 || MemberPath[0] == '[' ? place + MemberPath : $"{place}.{MemberPath}";

    /// <summary>Adds the members on the way to a value of another format, whose offset is not known.</summary>
    internal void Locate(string memberPath)
    {
        if (MemberPath.Length == 0)
        {
            MemberPath = memberPath;
        }
    }
}

/// <summary>The kind of fault in the bytes of a payload.</summary>
public enum WireFormatError
{
    /// <summary>The input ended inside a value.</summary>
    Truncated,

    /// <summary>Bytes follow the end of the value.</summary>
    TrailingBytes,

    /// <summary>
    /// The first byte is not the header of a supported version, or of the requested kind of payload.
    /// </summary>
    Header,

    /// <summary>A tag that the format does not define, or does not allow at this position.</summary>
    Tag,

    /// <summary>A manifest, a schema or a type name that does not follow the format.</summary>
    Manifest,

    /// <summary>A manifest identifier that this session has not seen.</summary>
    UnknownManifest,

    /// <summary>A known type's identifier that <see cref="SerializerOptions.KnownTypes"/> does not hold.</summary>
    UnknownKnownType,

    /// <summary>A reference to an object that this payload does not contain.</summary>
    Reference,

    /// <summary>A value of a type that does not fit its position.</summary>
    TypeMismatch,

    /// <summary>The writer's schema cannot be read into the reader's type.</summary>
    SchemaMismatch,

    /// <summary>Bytes that are not a valid value of their type.</summary>
    InvalidValue,

    /// <summary>A length or count that the rest of the input cannot hold.</summary>
    Length,

    /// <summary>A limit of <see cref="SerializerOptions.Limits"/> is exceeded.</summary>
    Limit,

    /// <summary>
    /// A type that the <see cref="SerializerOptions.TypeFilter"/> does not allow; see <see cref="TypeRefusedException"/>.
    /// </summary>
    TypeRefused,

    /// <summary>An allowed type that this program does not have.</summary>
    TypeNotFound,

    /// <summary>
    /// A frame in a stream of messages that is cut short. A frame that is too large is a <see cref="Limit"/> error.
    /// </summary>
    Frame,

    /// <summary>
    /// The end of a framed stream, between two frames, where a further frame was asked for: nothing is damaged or lost.
    /// </summary>
    EndOfStream,
}

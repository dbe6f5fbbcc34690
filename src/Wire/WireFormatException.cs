namespace Wire;

/// <summary>The bytes are not a payload that can be read: thrown for bad input and for nothing else.</summary>
public class WireFormatException : FormatException
{
    private readonly string _reason;

    internal WireFormatException(WireFormatError error, string reason, Exception? inner = null)
        : base(reason, inner)
    {
        Error = error;
        _reason = reason;
    }

    /// <summary>Gets the kind of fault, for programs.</summary>
    public WireFormatError Error { get; }

    /// <summary>
    /// Gets the position where reading stopped, in bytes from the beginning of the payload; -1 when no payload was being read.
    /// </summary>
    public long Offset { get; private set; } = -1;

    /// <summary>
    /// The members that led from the root to the value that could not be read, such as <c>Lines[2].Price</c>; empty at the root.
    /// </summary>
    public string MemberPath { get; private set; } = "";

    /// <inheritdoc/>
    public override string Message => Offset < 0
        ? _reason
        : MemberPath.Length == 0 ? $"{_reason} (at byte {Offset})" : $"{_reason} (at byte {Offset}, in {MemberPath})";

    /// <summary>Adds the place, once: the innermost reader knows it best.</summary>
    internal void Locate(long offset, string memberPath)
    {
        if (Offset < 0)
        {
            Offset = offset;
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
    /// The first byte is not the header of a payload of a version that this library reads, or of the kind that was asked for.
    /// </summary>
    Header,

    /// <summary>A tag that the format does not define, or that may not stand here.</summary>
    Tag,

    /// <summary>A manifest, a schema or a type name that does not follow the format.</summary>
    Manifest,

    /// <summary>A manifest identifier that this session has not seen.</summary>
    UnknownManifest,

    /// <summary>A known type's identifier that <see cref="SerializerOptions.KnownTypes"/> does not hold.</summary>
    UnknownKnownType,

    /// <summary>A reference to an object that this payload has not carried.</summary>
    Reference,

    /// <summary>A value of a type that cannot stand in the position that it fills.</summary>
    TypeMismatch,

    /// <summary>The writer's schema cannot be read into the type that the reader has.</summary>
    SchemaMismatch,

    /// <summary>Bytes that are no value of their type.</summary>
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

    /// <summary>A frame of a stream of messages that is cut short, or missing. One that is too large is a <see cref="Limit"/>.</summary>
    Frame,
}

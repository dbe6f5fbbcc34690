namespace Wire;

/// <summary>What is wrong with the bytes of a payload.</summary>
public enum WireFormatError
{
    /// <summary>The input ended inside a value.</summary>
    Truncated,

    /// <summary>Bytes follow the end of the value.</summary>
    TrailingBytes,

    /// <summary>The first byte is not the header of a payload of a version that this library reads, or of the kind that was asked for.</summary>
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

    /// <summary>A type that the <see cref="SerializerOptions.TypeFilter"/> does not allow; see <see cref="TypeRefusedException"/>.</summary>
    TypeRefused,

    /// <summary>An allowed type that this program does not have.</summary>
    TypeNotFound,

    /// <summary>A frame of a stream of messages that is cut short, or missing. One that is too large is a <see cref="Limit"/>.</summary>
    Frame,
}

namespace Wire.Amqp.V091;

/// <summary>
/// Fields with names, as they lie in a frame. A table is its bytes: to write one is to copy it, and a field is decoded when it is asked for.
/// </summary>
/// <remarks>One that was read is a view of the input and is valid as long as that is. Thread-safe as far as nobody changes those bytes.</remarks>
public readonly struct FieldTable
{
    internal FieldTable(ReadOnlyMemory<byte> encoded, long offset)
    {
        Encoded = encoded;
        Offset = offset;
    }

    /// <summary>The fields, without the length that stands before them.</summary>
    public ReadOnlyMemory<byte> Encoded { get; }

    /// <summary>Where the fields begin in the input, for the offsets in errors.</summary>
    internal long Offset { get; }
}

namespace Wire;

/// <summary>Options for payloads as JSON. Immutable.</summary>
public sealed record PayloadJsonOptions
{
    /// <summary>Gets the default options.</summary>
    public static PayloadJsonOptions Default { get; } = new();

    /// <summary>
    /// Gets the number of levels of values inside each other that are written; in place of a deeper one stands <c>{"$deeper": 120}</c>,
    /// with the number of its bytes. At least 1; 300 by default. Each level takes up to three of JSON, of which readers and
    /// <see cref="System.Text.Json.JsonWriterOptions.MaxDepth"/> allow 1,000 or fewer.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">It is less than 1.</exception>
    public int MaxDepth
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            field = value;
        }
    } = 300;

    /// <summary>
    /// Gets the number of bytes of JSON beyond which writing ends with <see cref="WireFormatError.Limit"/>. Null, as by default, is 64
    /// times the bytes of the payload, and 16,777,216 at least: a payload has each name once, and JSON for each value.
    /// </summary>
    public long? MaxLength { get; init; }
}

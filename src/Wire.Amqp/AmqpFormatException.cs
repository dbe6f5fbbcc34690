namespace Wire.Amqp;

/// <summary>The exception for bytes that do not follow the protocol: thrown for bad or incomplete input only.</summary>
public sealed class AmqpFormatException : FormatException
{
    internal AmqpFormatException(AmqpFormatError error, long offset, string reason, long missing = 0, Exception? inner = null)
        : base(offset < 0 ? reason : $"{reason} (at byte {offset})", inner)
    {
        Error = error;
        Offset = offset;
        Missing = missing;
    }

    /// <summary>Gets the kind of fault, for programs.</summary>
    public AmqpFormatError Error { get; }

    /// <summary>Gets the position in bytes from the beginning of the input; -1 when it is not known.</summary>
    public long Offset { get; }

    /// <summary>
    /// Gets the least number of further bytes needed when <see cref="Error"/> is <see cref="AmqpFormatError.Truncated"/>: read more and
    /// begin again. Otherwise 0.
    /// </summary>
    public long Missing { get; }
}

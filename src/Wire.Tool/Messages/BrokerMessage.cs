namespace Wire.Tool.Messages;

/// <summary>Something that a message says of itself: a property, or a header.</summary>
/// <param name="Name">Its name, of any characters.</param>
/// <param name="Value">
/// Its value: null, a text, a number, true or false, a time, bytes, a dictionary with such values, or a list of them.
/// </param>
internal sealed record MessageFact(string Name, object? Value);

/// <summary>A message of a queue or stream, with nothing that refers to where it was received.</summary>
/// <param name="Number">Its number in the output, or its offset in the stream.</param>
/// <param name="Facts">Where it came from, and its properties.</param>
/// <param name="HeaderName">The name that the protocol has for <paramref name="Headers"/>.</param>
/// <param name="Headers">What programs have added.</param>
/// <param name="Body">The body.</param>
internal sealed record BrokerMessage(
    long Number, IReadOnlyList<MessageFact> Facts, string HeaderName, IReadOnlyList<MessageFact> Headers, ReceivedBody Body);

/// <summary>A body as it was received, of which little more lies in memory until it is read.</summary>
/// <param name="size">The number of its bytes in the message.</param>
/// <param name="held">The number of bytes in memory, with those of headers.</param>
/// <param name="read">What reads it.</param>
internal sealed class ReceivedBody(long size, long held, Func<MessageBody> read)
{
    /// <summary>Gets the number of bytes that it takes.</summary>
    public long Held => held;

    /// <summary>Gets the number of its bytes in the message.</summary>
    public long Size => size;

    /// <summary>Reads it.</summary>
    public MessageBody Read() => read();
}

using System.Buffers;
using Wire.Amqp.V091;

namespace Wire.RabbitMQ;

/// <summary>
/// Reads bodies that are no Wire payloads: <see cref="WireBodySerializer.Reading"/>. Thread-safe, as it reads several at a time.
/// </summary>
public interface IBodyReader
{
    /// <summary>
    /// Returns whether it reads the body of a message with these properties. Asked for each message whose content type is not that of a
    /// Wire payload, also for those that have none. Does not throw.
    /// </summary>
    /// <param name="properties">The properties of the message.</param>
    bool Reads(in BasicProperties properties);

    /// <summary>
    /// Reads a body, which is not compressed any more. Anything that it throws makes the message one that cannot be read.
    /// </summary>
    /// <param name="properties">The properties of the message.</param>
    /// <param name="body">The body, in any number of parts: a view that is valid during the call.</param>
    /// <param name="types">The types that may come of it.</param>
    /// <returns>The object; null for a body that says so.</returns>
    /// <exception cref="BodyTypeException">It names a type that is not among these, or none.</exception>
    object? Read(in BasicProperties properties, in ReadOnlySequence<byte> body, BodyTypes types);
}

/// <summary>
/// Reads and writes bodies that are no Wire payloads: <see cref="WireBodySerializer.Writing"/>. Thread-safe.
/// </summary>
public interface IBodyFormat : IBodyReader
{
    /// <summary>Writes a body. Anything that it throws makes the publishing fail, before anything is sent.</summary>
    /// <param name="message">The object; may be null.</param>
    /// <param name="properties">
    /// The properties of the message, in which it sets the content type, and may set others; on channels of RabbitMQ.Client (<see
    /// cref="ChannelExtensions"/>) only the content type and the type are used. The type is the full name of the object's type, or what the
    /// program has set.
    /// </param>
    /// <param name="output">Where it is written to.</param>
    void Write(object? message, ref BasicProperties properties, IBufferWriter<byte> output);
}

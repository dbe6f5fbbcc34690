namespace Wire;

/// <summary>A message of a framed stream that could not be read, as passed to the handler of dead letters.</summary>
/// <param name="Payload">The bytes of the message, without the length in front: a copy of its own, which may be kept.</param>
/// <param name="Exception">
/// The exception that reading it has thrown: a <see cref="WireFormatException"/>, or one of the program's own code.
/// </param>
/// <param name="Position">The number of frames that came before it in this enumeration.</param>
/// <param name="Offset">The number of bytes that came before its frame in this enumeration.</param>
public sealed record DeadLetter(ReadOnlyMemory<byte> Payload, Exception Exception, long Position, long Offset);

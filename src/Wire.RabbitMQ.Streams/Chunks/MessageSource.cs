using System.Diagnostics.CodeAnalysis;

namespace Wire.RabbitMQ.Streams.Chunks;

/// <summary>
/// The memory that messages lie in as long as they are valid: the array that a chunk was received into, or the one that its batches were
/// decompressed to.
/// </summary>
internal sealed class MessageSource(ChunkMessages chunk)
{
    /// <summary>The chunk that the messages are of.</summary>
    public ChunkMessages Chunk { get; } = chunk;

    /// <summary>Gets the array that they lie in.</summary>
    public byte[] Array { get; set; } = [];

    /// <summary>
    /// Which messages are valid: those that have the same number. So one that was kept for too long is found out, and never reads other
    /// bytes.
    /// </summary>
    public uint Generation { get; private set; }

    /// <summary>The messages are not valid any more.</summary>
    public void Clear()
    {
        Generation++;
        Array = [];
    }

    [DoesNotReturn]
    public static void ThrowNotValid() => throw new InvalidOperationException(
        "The message is not valid any more: it is valid until its handler ends. Copy what you want to keep, for example with " +
        "Body.ToArray().");
}

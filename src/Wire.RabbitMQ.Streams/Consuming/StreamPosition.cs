using Wire.RabbitMQ.Streams.Chunks;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>
/// The position of a consumer, and a chunk by which it recognizes the stream. Written by one thread at a time; <see cref="LastHandled"/>
/// may be read by any.
/// </summary>
/// <param name="start">Where it begins; another position may be asked for later.</param>
internal sealed class StreamPosition(StreamOffset start)
{
    private ulong _next;
    private bool _isKnown;

    // Zero for nothing.
    private ulong _behindHandled;

    /// <summary>The first offset that has not been delivered; null if not yet known.</summary>
    public ulong? Next => _isKnown ? _next : null;

    /// <summary>Where it begins while <see cref="Next"/> is not known.</summary>
    public StreamOffset Start { get; private set; } = start;

    /// <summary>A chunk of the stream that does not begin after <see cref="Next"/>.</summary>
    public ChunkHeader? Chunk { get; private set; }

    /// <summary>The offset of the last handled message; null for none.</summary>
    public ulong? LastHandled => Volatile.Read(ref _behindHandled) is not 0 and ulong behind ? behind - 1 : null;

    /// <summary>A message has been handled, or is left out.</summary>
    public void Handled(ulong offset)
    {
        _next = offset + 1;
        Volatile.Write(ref _behindHandled, offset + 1);
    }

    /// <summary>Moves the position.</summary>
    public void MoveTo(ulong next)
    {
        _next = next;
        _isKnown = true;
    }

    /// <summary>Begins anew at a position that the program asks for: the next chunk says which offset that is.</summary>
    public void BeginAt(StreamOffset start)
    {
        Start = start;
        _isKnown = false;
    }

    /// <summary>A chunk of the stream has been seen.</summary>
    public void Know(ChunkHeader chunk) => Chunk = chunk;

    /// <summary>Begins with an unknown stream.</summary>
    public void Restart()
    {
        Chunk = null;
        Volatile.Write(ref _behindHandled, 0);
        MoveTo(0);
    }
}

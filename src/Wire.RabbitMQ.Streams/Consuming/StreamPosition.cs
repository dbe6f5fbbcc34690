using Wire.RabbitMQ.Streams.Chunks;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>
/// The position of a consumer, and a chunk by which it recognizes the stream. Written by one thread at a time; <see cref="LastHandled"/>
/// may be read by any.
/// </summary>
/// <param name="start">Where it begins; another position may be asked for later.</param>
internal sealed class StreamPosition(StreamOffset start)
{
    private readonly StreamOffset _start = start;
    private ulong _next;
    private bool _isKnown;

    // Where it was before the program has asked for another position, until a chunk has come from there; null otherwise.
    private (ulong Next, bool IsKnown)? _before;

    // Zero for nothing.
    private ulong _behindHandled;

    // Behind the first message of the last chunk that the broker has told of, and behind the last message that has come.
    private ulong _behindCommitted;
    private ulong _behindSeen;

    /// <summary>The first offset that has not been delivered; null if not yet known.</summary>
    public ulong? Next => _isKnown ? _next : null;

    /// <summary>Gets the position that it begins at while <see cref="Next"/> is not known.</summary>
    public StreamOffset Start { get; private set; } = start;

    /// <summary>A chunk of the stream that does not begin after <see cref="Next"/>.</summary>
    public ChunkHeader? Chunk { get; private set; }

    /// <summary>The offset of the last handled message; null for none.</summary>
    public ulong? LastHandled => Volatile.Read(ref _behindHandled) is not 0 and ulong behind ? behind - 1 : null;

    /// <summary>Gets the number of messages from <see cref="Next"/> to the end, as far as that is known. On any thread.</summary>
    public long Lag
    {
        get
        {
            ulong behind = End;
            ulong next = Volatile.Read(ref _next);
            return _isKnown && behind > next ? (long)(behind - next) : 0;
        }
    }

    /// <summary>Gets the position behind all that is known to be in the stream. On any thread.</summary>
    private ulong End => Math.Max(Volatile.Read(ref _behindCommitted), Volatile.Read(ref _behindSeen));

    /// <summary>The broker has told of a chunk that begins with an offset. Called by the receive loop of the link.</summary>
    public void Committed(ulong offset) => Volatile.Write(ref _behindCommitted, unchecked(offset + 1));

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

    /// <summary>
    /// Begins anew at a position that the program asks for. An offset that the stream is known to have stays as it is, also where a replica
    /// lags behind it; of another position the next chunk says which offset it is.
    /// </summary>
    public void BeginAt(StreamOffset asked)
    {
        _before ??= (_next, _isKnown);
        Start = asked;
        bool isThere = Chunk is not null && asked.Kind == StreamOffsetKind.Offset && asked.Offset <= End;
        (_next, _isKnown) = isThere ? (asked.Offset, true) : (_next, false);
    }

    /// <summary>The program asks for no position: it goes on where it was before an earlier one from which nothing has come.</summary>
    public void GoOn()
    {
        Start = _start;
        (_next, _isKnown) = _before ?? (_next, _isKnown);
        _before = null;
    }

    /// <summary>A chunk has come from where it begins.</summary>
    public void Reach(ChunkHeader chunk)
    {
        _before = null;
        Know(chunk);
    }

    /// <summary>A chunk of the stream has been seen.</summary>
    public void Know(ChunkHeader chunk)
    {
        Chunk = chunk;
        Volatile.Write(ref _behindSeen, chunk.FirstOffset + chunk.Records);
    }

    /// <summary>Begins with an unknown stream.</summary>
    public void Restart()
    {
        Chunk = null;
        _before = null;
        Start = _start;
        (_behindCommitted, _behindSeen) = (0, 0);
        Volatile.Write(ref _behindHandled, 0);
        MoveTo(0);
    }
}

namespace Wire.Transport.Pending;

/// <summary>Something that can stand in one <see cref="OperationQueue{T}"/> at a time, linked through itself.</summary>
internal abstract class Queued
{
    /// <summary>The next item; of the queue, or of other code that links them.</summary>
    public Queued? Next { get; set; }

    /// <summary>The one before.</summary>
    public Queued? Previous { get; set; }

    /// <summary>The position that has to be reached, where the queue is in the order of these.</summary>
    public long Position { get; set; }
}

using System.Buffers;

namespace Wire.Amqp.Primitives;

/// <summary>One part of a sequence, reused from one sequence to the next.</summary>
internal sealed class MemorySegment : ReadOnlySequenceSegment<byte>
{
    /// <summary>The pooled array of the memory; null where the memory is foreign.</summary>
    public byte[]? Array { get; set; }

    /// <summary>Gets or sets whether it continues in an earlier part's array, which is the one that gives it back to the pool.</summary>
    public bool IsContinued { get; set; }

    /// <summary>Gets the start of its memory in the array.</summary>
    public int Start { get; set; }

    /// <summary>Gets the next segment of the sequence.</summary>
    public MemorySegment? Following => (MemorySegment?)Next;

    /// <summary>Makes this the last part of a sequence.</summary>
    /// <param name="memory">The part's bytes.</param>
    /// <param name="previous">The part before; null for the first.</param>
    public void Append(ReadOnlyMemory<byte> memory, MemorySegment? previous)
    {
        Memory = memory;
        Next = null;
        RunningIndex = 0;
        if (previous is not null)
        {
            RunningIndex = previous.RunningIndex + previous.Memory.Length;
            previous.Next = this;
        }
    }

    /// <summary>Makes this the last part, whose array is filled up to there.</summary>
    public void EndAt(int position)
    {
        Memory = Array.AsMemory(Start, position - Start);
        Next = null;
    }
}

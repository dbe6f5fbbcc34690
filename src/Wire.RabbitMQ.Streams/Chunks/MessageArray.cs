using System.Buffers;

namespace Wire.RabbitMQ.Streams.Chunks;

/// <summary>The messages of one chunk after the other, in the same array. Not thread-safe.</summary>
internal struct MessageArray()
{
    // The capacity kept between chunks; chunks with batches may need far more, from a pool.
    private const int MostKept = 1 << 13;

    /// <summary>The array, which is longer than it has to be.</summary>
    public StreamMessage[] Array { get; private set; } = [];

    /// <summary>Makes room for a number of messages, and keeps the first ones.</summary>
    public void MakeRoom(int used, int length)
    {
        if (Array.Length < length)
        {
            StreamMessage[] larger = ArrayPool<StreamMessage>.Shared.Rent(length);
            Array.AsSpan(0, used).CopyTo(larger);
            Return();
            Array = larger;
        }
    }

    /// <summary>The messages are not needed any more.</summary>
    public void Clear()
    {
        if (Array.Length > MostKept)
        {
            Return();
        }
    }

    /// <summary>Gives the array back.</summary>
    public void Return()
    {
        if (Array.Length > 0)
        {
            ArrayPool<StreamMessage>.Shared.Return(Array);
            Array = [];
        }
    }
}

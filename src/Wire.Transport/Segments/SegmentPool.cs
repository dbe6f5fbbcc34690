namespace Wire.Transport.Segments;

/// <summary>
/// Segments to receive into, rented on the threads of receive loops and returned on any thread, which a pool with arrays per thread handles
/// badly. Thread-safe.
/// </summary>
/// <param name="capacity">How many wait to be used again at most; more are left to the garbage collector.</param>
/// <param name="maxBytes">How many bytes these have together at most.</param>
internal sealed class SegmentPool(int capacity = SegmentPool.DefaultBytes / ReceiveSegment.Size, int maxBytes = SegmentPool.DefaultBytes)
{
    private const int DefaultBytes = 16 << 20;

    private readonly Lock _gate = new();
    private readonly Stack<ReceiveSegment> _free = [];
    private int _lent;
    private bool _isClosed;

    /// <summary>Gets the pool that the connections of the process take from: an idle one holds no more than it receives into.</summary>
    public static SegmentPool Shared { get; } = new();

    /// <summary>The usual size of segments, in bytes. Those of another size are not kept: they were for one large frame.</summary>
    public int SegmentSize { get; set; } = ReceiveSegment.Size;

    /// <summary>Gets the number of items in use.</summary>
    public int Lent => Volatile.Read(ref _lent);

    /// <summary>Gets whether more are in use than would be kept.</summary>
    public bool IsStrained => Lent > Capacity;

    private int Capacity => Math.Min(capacity, maxBytes / SegmentSize);

    /// <summary>Rents a segment of the usual size.</summary>
    public ReceiveSegment Rent() => Rent(SegmentSize);

    /// <summary>Rents a segment.</summary>
    /// <param name="size">How many bytes it has at least.</param>
    public ReceiveSegment Rent(int size)
    {
        lock (_gate)
        {
            _lent++;
            while (_free.TryPop(out ReceiveSegment? segment))
            {
                if (segment.Length >= size)
                {
                    return segment;
                }
            }
        }

        return new ReceiveSegment(this, size);
    }

    /// <summary>Takes back a segment that is not used any more.</summary>
    public void Return(ReceiveSegment segment)
    {
        lock (_gate)
        {
            _lent--;
            if (!_isClosed && _free.Count < Capacity && segment.Length == SegmentSize)
            {
                _free.Push(segment);
            }
        }
    }

    /// <summary>Stops keeping segments.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            _free.Clear();
        }
    }
}

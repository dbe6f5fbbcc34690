namespace Wire.Transport.Segments;

/// <summary>
/// Segments to receive into, taken on the threads of receive loops and given back on any, which a pool that keeps arrays by thread does not like.
/// Thread-safe.
/// </summary>
/// <param name="capacity">How many wait to be used again at most; more are left to the garbage collector.</param>
internal sealed class SegmentPool(int capacity = SegmentPool.DefaultCapacity)
{
    // 16 MiB.
    private const int DefaultCapacity = (16 << 20) / ReceiveSegment.Size;

    private readonly Lock _gate = new();
    private readonly ReceiveSegment?[] _free = new ReceiveSegment?[capacity];
    private int _count;
    private int _lent;

    /// <summary>What the connections of the process take from: an idle one holds no more than it receives into.</summary>
    public static SegmentPool Shared { get; } = new();

    /// <summary>How many are in use.</summary>
    public int Lent => Volatile.Read(ref _lent);

    /// <summary>Whether more are in use than would be kept.</summary>
    public bool IsStrained => Lent > _free.Length;

    /// <summary>A segment that has yet to begin.</summary>
    public ReceiveSegment Rent()
    {
        lock (_gate)
        {
            _lent++;
            if (_count > 0)
            {
                ReceiveSegment segment = _free[--_count]!;
                _free[_count] = null;
                return segment;
            }
        }

        return new ReceiveSegment(this);
    }

    /// <summary>Takes one back that nobody uses any more.</summary>
    public void Return(ReceiveSegment segment)
    {
        lock (_gate)
        {
            _lent--;
            if (_count < _free.Length)
            {
                _free[_count++] = segment;
            }
        }
    }
}

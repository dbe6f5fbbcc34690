using System.Buffers;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Wire.Transport.Segments;

/// <summary>
/// A segment of the receive buffer: it is filled, stays while its bytes are being read, and is then reused. The running index is where in
/// the stream its first byte stood.
/// </summary>
/// <remarks>
/// Counted in shares: the loop that receives has nearly all of them and gives one to each lease, which takes no more than a subtraction
/// that is the loop's own. The one interlocked operation of a lease is the giving back.
/// </remarks>
/// <param name="pool">The pool to which it is returned.</param>
/// <param name="length">How many bytes it has.</param>
internal sealed class ReceiveSegment(SegmentPool pool, int length = ReceiveSegment.Size) : ReadOnlySequenceSegment<byte>
{
    /// <summary>The usual size of a segment, in bytes.</summary>
    public const int Size = 1 << 16;

    // More leases than a segment has bytes.
    private const int AllShares = 1 << 30;

    // Pinned permanently: no pinning per receive, and no work for the collector. What is larger than usual it would
    // not move either.
    private readonly byte[] _array = GC.AllocateUninitializedArray<byte>(length, pinned: true);

    // The total shares of the loop and all leases, and the loop's own, which only it touches.
    private int _shares;
    private int _loopShares;

    /// <summary>Its size in bytes.</summary>
    public int Length => _array.Length;

    /// <summary>Gets the number of bytes that have been received into it.</summary>
    public int Filled { get; private set; }

    /// <summary>Gets the end of the bytes that have been received into it, in the stream.</summary>
    public long End => RunningIndex + Filled;

    /// <summary>Gets the next segment of the stream.</summary>
    public ReceiveSegment? Following => Unsafe.As<ReceiveSegment?>(Next);

    /// <summary>Gets the memory that can be received into.</summary>
    public Memory<byte> Free => MemoryMarshal.CreateFromPinnedArray(_array, Filled, _array.Length - Filled);

    /// <summary>The bytes that have been received into it, from here on.</summary>
    public Memory<byte> From(int start) => MemoryMarshal.CreateFromPinnedArray(_array, start, Filled - start);

    /// <summary>Gets whether it has no leases. Only the receive loop may call it, because only that makes leases.</summary>
    public bool IsUnleased => Volatile.Read(ref _shares) == _loopShares;

    /// <summary>Begins again: with bytes that have been received already, which may be its own. No one leases it.</summary>
    /// <param name="offset">Where these bytes stand in the stream.</param>
    /// <param name="bytes">The bytes.</param>
    public void Reuse(long offset, ReadOnlySpan<byte> bytes = default)
    {
        bytes.CopyTo(_array);
        RunningIndex = offset;
        Filled = bytes.Length;
        Memory = _array;
        Next = null;
        _loopShares = AllShares;
        Volatile.Write(ref _shares, AllShares);
    }

    /// <summary>Adds received bytes.</summary>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)count, (uint)(_array.Length - Filled), nameof(count));
        Filled += count;
    }

    /// <summary>Ends receiving into it: the stream continues in another one.</summary>
    public void Continue(ReceiveSegment next)
    {
        next.Reuse(End);
        Memory = _array.AsMemory(0, Filled);
        Next = next;
    }

    /// <summary>Takes the last bytes away, to have them elsewhere.</summary>
    public ReadOnlySpan<byte> Cut(int start)
    {
        ReadOnlySpan<byte> cut = _array.AsSpan(start, Filled - start);
        Filled = start;
        return cut;
    }

    /// <summary>Gives a lease a share. Called by the loop.</summary>
    public void Lease()
    {
        Debug.Assert(_loopShares > 1, "Each lease has at least a byte to itself.");
        _loopShares--;
    }

    /// <summary>A lease gives its share back, on any thread.</summary>
    public void Release() => Return(1);

    /// <summary>The loop gives back what it has.</summary>
    public void ReleaseLoopShare() => Return(_loopShares);

    private void Return(int shares)
    {
        if (Interlocked.Add(ref _shares, -shares) == 0)
        {
            // The following bytes belong to others by now.
            Next = null;
            pool.Return(this);
        }
    }
}


namespace Wire.RabbitMQ.Streams.Links;

/// <summary>
/// An array that frames are received into, and that stays as it is as long as somebody reads one of them. Leased by the receive loop, released on any
/// thread.
/// </summary>
internal sealed class FrameSegment(byte[] array, Action<FrameSegment> free)
{
    // The buffer's own, and one for each frame that is read.
    private int _users = 1;

    public byte[] Array { get; } = array;

    /// <summary>Whether nobody but the buffer has it.</summary>
    public bool IsUnleased => Volatile.Read(ref _users) == 1;

    /// <summary>The buffer takes it again.</summary>
    public void Take() => _users = 1;

    /// <summary>One more reads from it.</summary>
    public void Lease() => Interlocked.Increment(ref _users);

    /// <summary>One reads from it no more. The last one gives it back.</summary>
    public void Release()
    {
        if (Interlocked.Decrement(ref _users) == 0)
        {
            free(this);
        }
    }
}

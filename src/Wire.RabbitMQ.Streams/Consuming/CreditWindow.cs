namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>
/// The credit: the number of chunks that the broker may send ahead, reduced when large chunks would exceed a limit of memory. Not
/// thread-safe.
/// </summary>
/// <param name="mostChunks">The maximal number of chunks.</param>
/// <param name="mostBytes">The maximal total of their bytes; one chunk is handled and another one sent, however large.</param>
internal sealed class CreditWindow(int mostChunks, long mostBytes)
{
    // Before the first one their size is not known.
    private const int AtFirst = 4;
    private const int Least = 2;

    // The chunks that the broker may send, and those that wait.
    private int _granted = Math.Min(mostChunks, AtFirst);
    private int _waiting;

    // The size of the largest recent one.
    private long _size;

    /// <summary>Gets the credit that the broker is given at first.</summary>
    public int First { get; } = Math.Min(mostChunks, AtFirst);

    private int Target => (int)Math.Clamp(_size == 0 ? mostChunks : mostBytes / _size, Math.Min(Least, mostChunks), mostChunks);

    private int Ahead => _granted + _waiting;

    /// <summary>Adds a waiting chunk; false if it exceeds the credit.</summary>
    public bool TryArrive(int bytes)
    {
        if (_granted == 0)
        {
            return false;
        }

        _granted--;
        _waiting++;
        _size = Math.Max(bytes, _size - (_size >> 4));
        return true;
    }

    /// <summary>Records that a chunk no longer waits.</summary>
    public void Left() => _waiting--;

    /// <summary>
    /// Takes the credit to give now: none until half of it has gathered, because the other half keeps chunks in transit, and each grant
    /// costs a frame.
    /// </summary>
    public int TakeDue() => Ahead <= Target / 2 ? TakeAll() : 0;

    /// <summary>Takes all available credit.</summary>
    public int TakeAll()
    {
        int credit = Math.Max(0, Target - Ahead);
        _granted += credit;
        return credit;
    }
}

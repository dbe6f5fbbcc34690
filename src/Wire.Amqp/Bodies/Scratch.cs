using System.Buffers;

namespace Wire.Amqp.Bodies;

/// <summary>Memory for output that is never read, small enough to stay in the processor's cache.</summary>
internal struct Scratch
{
    private const int Size = 1 << 15;

    private byte[]? _array;

    /// <summary>The same memory each time, unless it is too small.</summary>
    public Memory<byte> GetMemory(int least)
    {
        if (_array is null || _array.Length < least)
        {
            Return();
            _array = ArrayPool<byte>.Shared.Rent(Math.Max(least, Size));
        }

        return _array;
    }

    /// <summary>Gives it back.</summary>
    public void Return()
    {
        if (_array is not null)
        {
            ArrayPool<byte>.Shared.Return(_array);
            _array = null;
        }
    }
}

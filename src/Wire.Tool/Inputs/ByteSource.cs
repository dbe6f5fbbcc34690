namespace Wire.Tool.Inputs;

/// <summary>
/// A file or the standard input, of which one piece at a time lies in memory. Room is taken as bytes arrive, and not as lengths promise
/// them.
/// </summary>
/// <param name="stream">The stream.</param>
internal sealed class ByteSource(Stream stream) : IDisposable
{
    private const int FirstSize = 1 << 16;

    private byte[] _buffer = new byte[FirstSize];
    private int _start;
    private int _end;
    private bool _isAtEnd;

    /// <summary>Gets the number of bytes that were taken.</summary>
    public long Position { get; private set; }

    /// <summary>Gets the number of bytes of the file; 0 where this is not known.</summary>
    public long Total { get; } = stream.CanSeek ? stream.Length : 0;

    /// <summary>Gets bytes without taking them: fewer where the input ends.</summary>
    public ReadOnlyMemory<byte> Peek(long count)
    {
        while (_end - _start < count && !_isAtEnd)
        {
            MakeRoom();
            int read = stream.Read(_buffer, _end, _buffer.Length - _end);
            _isAtEnd = read == 0;
            _end += read;
        }

        return _buffer.AsMemory(_start, (int)Math.Min(count, _end - _start));
    }

    /// <summary>Takes bytes that were looked at. They stay as they are until the next look.</summary>
    public void Advance(int count)
    {
        _start += count;
        Position += count;
    }

    public void Dispose() => stream.Dispose();

    private void MakeRoom()
    {
        if (_start > 0)
        {
            _buffer.AsSpan(_start.._end).CopyTo(_buffer);
            _end -= _start;
            _start = 0;
        }

        if (_end == _buffer.Length)
        {
            int size = (int)Math.Min(2L * _buffer.Length, Array.MaxLength);
            if (size == _buffer.Length)
            {
                throw new IOException("A payload has more than 2 GB, which is more than any reader takes.");
            }

            // A file of which all is wanted takes its size, and not up to twice as much.
            Array.Resize(ref _buffer, Total >= size && Total < 2L * size ? (int)Math.Min(Total + 1, Array.MaxLength) : size);
        }
    }
}

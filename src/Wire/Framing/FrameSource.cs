using System.IO.Pipelines;

namespace Wire.Framing;

/// <summary>The stream or the pipe that frames are read from.</summary>
internal readonly struct FrameSource
{
    private readonly Stream? _stream;
    private readonly PipeReader? _reader;
    private readonly int _maxBytes;

    public FrameSource(Stream stream, int maxBytes)
    {
        ArgumentNullException.ThrowIfNull(stream);
        _stream = stream;
        _maxBytes = maxBytes;
    }

    public FrameSource(PipeReader reader, int maxBytes)
    {
        ArgumentNullException.ThrowIfNull(reader);
        _reader = reader;
        _maxBytes = maxBytes;
    }

    /// <summary>Waits for the next frame; one that is not found is the end, between two frames.</summary>
    /// <exception cref="WireFormatException">It ends inside a frame, or the frame is larger than the limit.</exception>
    public ValueTask<ReceivedFrame> ReadAsync(CancellationToken cancellationToken)
    {
        if (_reader is null)
        {
            return StreamFrames.ReadAsync(_stream!, _maxBytes, cancellationToken);
        }

        return !cancellationToken.IsCancellationRequested && PipeFrames.TryRead(_reader, _maxBytes, out ReceivedFrame frame)
            ? new(frame)
            : PipeFrames.ReadAsync(_reader, _maxBytes, cancellationToken);
    }
}

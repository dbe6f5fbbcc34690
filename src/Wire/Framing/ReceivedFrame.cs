using System.Buffers;
using System.IO.Pipelines;

namespace Wire.Framing;

/// <summary>A frame that has been received whole, in memory that is lent until <see cref="Release"/>; or none, at the end.</summary>
internal readonly struct ReceivedFrame
{
    private readonly byte[]? _rented;
    private readonly PipeReader? _reader;

    public ReceivedFrame(byte[] rented, int length)
    {
        _rented = rented;
        Payload = new ReadOnlySequence<byte>(rented, 0, length);
    }

    public ReceivedFrame(PipeReader reader, in ReadOnlySequence<byte> payload)
    {
        _reader = reader;
        Payload = payload;
    }

    /// <summary>Gets whether there is a frame.</summary>
    public bool IsFound => _rented is not null || _reader is not null;

    public ReadOnlySequence<byte> Payload { get; }

    /// <summary>Returns the memory; of a pipe, the frame is consumed with it.</summary>
    public void Release()
    {
        _reader?.AdvanceTo(Payload.End);
        if (_rented is not null)
        {
            ArrayPool<byte>.Shared.Return(_rented);
        }
    }
}

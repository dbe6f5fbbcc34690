namespace Wire.Benchmarks.Peers;

/// <summary>
/// For libraries that write to and read from streams: two in memory, used again for each message. The payload is copied into the one
/// that is read, which takes the time of a memory copy and nothing beside what such a library does.
/// </summary>
internal sealed class MessageStreams
{
    private readonly MemoryStream _output = new(1024);
    private readonly MemoryStream _input = new(1024);

    /// <summary>What the last message was written to.</summary>
    public ReadOnlySpan<byte> Written => _output.GetBuffer().AsSpan(0, (int)_output.Length);

    /// <summary>An empty stream for the next message.</summary>
    public MemoryStream Output()
    {
        _output.SetLength(0);
        return _output;
    }

    /// <summary>A stream at the beginning of a payload.</summary>
    public MemoryStream Input(ReadOnlySpan<byte> payload)
    {
        _input.SetLength(payload.Length);
        _input.Position = 0;
        payload.CopyTo(_input.GetBuffer());
        return _input;
    }
}

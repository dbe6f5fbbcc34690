namespace Wire.Benchmarks;

/// <summary>For libraries that read from an array or from memory that outlives the call: the payload, copied into an array that is used again.</summary>
internal sealed class Reused
{
    private byte[] _bytes = new byte[1024];

    /// <summary>The array; longer than the payload.</summary>
    public byte[] Bytes => _bytes;

    /// <summary>Copies a payload and returns where it is.</summary>
    public ReadOnlyMemory<byte> Copy(ReadOnlySpan<byte> payload)
    {
        if (_bytes.Length < payload.Length)
        {
            _bytes = new byte[payload.Length];
        }

        payload.CopyTo(_bytes);
        return _bytes.AsMemory(0, payload.Length);
    }
}

using System.Net.Sockets;

namespace Wire.Transport.Sockets;

/// <summary>
/// The stream that TLS is spoken over: it remembers the first bytes of the other side, which show whether it speaks TLS.
/// </summary>
internal sealed class TlsSocketStream(Socket socket) : NetworkStream(socket, ownsSocket: true)
{
    // The types of records (RFC 8446 section 5.1), of which change_cipher_spec is the first and application_data the last.
    private const byte FirstRecordType = 20;
    private const byte LastRecordType = 23;

    private byte? _first;

    /// <summary>Gets whether the other side has sent something that is not TLS.</summary>
    public bool HasBegunOtherwise => _first is < FirstRecordType or > LastRecordType;

    /// <inheritdoc/>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        _first is null && !buffer.IsEmpty ? ReadFirstAsync(buffer, cancellationToken) : base.ReadAsync(buffer, cancellationToken);

    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        // In a derived class, the base implementation would send a copy.
        while (!buffer.IsEmpty)
        {
            buffer = buffer[Socket.Send(buffer)..];
        }
    }

    private async ValueTask<int> ReadFirstAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        int count = await base.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        if (count > 0)
        {
            _first = buffer.Span[0];
        }

        return count;
    }
}

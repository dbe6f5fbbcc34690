using System.Buffers;
using System.Net.Security;
using System.Runtime.CompilerServices;

namespace Wire.Transport.Sockets;

/// <summary>Writes the segments to TLS. Each write makes a record at least, so small segments are gathered to what fills one.</summary>
internal sealed class TlsBytes(SslStream tls) : ILinkBytes
{
    // The largest payload of a record (RFC 8446 section 5.1).
    private const int RecordSize = 1 << 14;

    private byte[]? _gathered;

    public ValueTask<int> ReceiveAsync(Memory<byte> buffer) => tls.ReadAsync(buffer);

    // So that what is received, heartbeats among it, does not wait for a thread of the pool.
    public bool ReceivesOnThread => true;

    public int Receive(Memory<byte> buffer) => tls.Read(buffer.Span);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask SendAsync(ReadOnlySequence<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            await tls.WriteAsync(Next(ref bytes)).ConfigureAwait(false);
        }
    }

    public void Send(ReadOnlySequence<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            tls.Write(Next(ref bytes).Span);
        }
    }

    public void Abort()
    {
        // A wait in the stream ends with its socket.
    }

    public void Dispose() => tls.Dispose();

    // Takes what is written next: a segment where it lies, or the next ones in a copy.
    private ReadOnlyMemory<byte> Next(ref ReadOnlySequence<byte> bytes)
    {
        ReadOnlyMemory<byte> first = bytes.First;
        if (first.Length >= RecordSize || bytes.IsSingleSegment)
        {
            bytes = bytes.Slice(first.Length);
            return first;
        }

        ReadOnlySequence<byte> gathered = bytes.Slice(0, Math.Min(bytes.Length, RecordSize));
        gathered.CopyTo(_gathered ??= new byte[RecordSize]);
        bytes = bytes.Slice(gathered.Length);
        return _gathered.AsMemory(0, (int)gathered.Length);
    }
}

using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using Wire.AspNetCore.Buffers;
using Wire.Runtime;

namespace Wire.AspNetCore.Http;

/// <summary>
/// A body that was received to its end: in the memory in which it arrived, or, if it came in pieces, in pooled memory. Dispose of it once.
/// </summary>
internal sealed class ReceivedBody : IDisposable
{
    private readonly ReadOnlySequence<byte> _payload;
    private readonly PipeReader? _reader;
    private readonly PooledBuffer? _joined;

    private ReceivedBody(in ReadOnlySequence<byte> payload, PipeReader reader)
    {
        _payload = payload;
        _reader = reader;
    }

    private ReceivedBody(PooledBuffer joined)
    {
        _payload = new(joined.Written);
        _joined = joined;
    }

    /// <summary>Receives a body.</summary>
    /// <param name="reader">The body.</param>
    /// <param name="most">The number of bytes that it may have.</param>
    /// <param name="cancellationToken">Ends receiving.</param>
    /// <returns>The body; null if there is more of it, which is not read.</returns>
    public static async ValueTask<ReceivedBody?> ReceiveAsync(PipeReader reader, long most, CancellationToken cancellationToken)
    {
        ReadResult piece = await ReadAsync(reader, cancellationToken).ConfigureAwait(false);
        if (piece.IsCompleted && piece.Buffer.Length <= most)
        {
            return new ReceivedBody(piece.Buffer, reader);
        }

        // What arrives is taken at once. If some of it were left in the pipe, Kestrel would find no way back from a body that ends early.
        PooledBuffer? joined = PooledBuffer.Rent();
        try
        {
            while (TryMove(piece, reader, joined, most))
            {
                if (piece.IsCompleted)
                {
                    var whole = new ReceivedBody(joined);
                    joined = null;
                    return whole;
                }

                piece = await ReadAsync(reader, cancellationToken).ConfigureAwait(false);
            }

            return null;
        }
        finally
        {
            joined?.Dispose();
        }
    }

    /// <summary>Reads the body.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="serializer">The serializer.</param>
    /// <param name="type">The type that is asked for; null is T itself.</param>
    /// <exception cref="WireFormatException">The bytes are no payload, or name a type that is not allowed.</exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public T? Read<T>(Serializer serializer, Type? type = null) =>
        type is null ? serializer.Deserialize<T>(_payload) : (T?)serializer.Deserialize(type, _payload);

    /// <inheritdoc/>
    public void Dispose()
    {
        _joined?.Dispose();
        _reader?.AdvanceTo(_payload.End);
    }

    private static async ValueTask<ReadResult> ReadAsync(PipeReader reader, CancellationToken cancellationToken)
    {
        ReadResult piece = await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
        return piece.IsCanceled ? throw new OperationCanceledException("Reading the body was cancelled by its pipe.") : piece;
    }

    // False if that is more than may come.
    private static bool TryMove(ReadResult piece, PipeReader reader, PooledBuffer joined, long most)
    {
        bool fits = joined.Length + piece.Buffer.Length <= most;
        if (fits)
        {
            foreach (ReadOnlyMemory<byte> memory in piece.Buffer)
            {
                joined.Write(memory.Span);
            }
        }

        reader.AdvanceTo(piece.Buffer.End);
        return fits;
    }
}

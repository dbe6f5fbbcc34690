using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using Wire.Runtime;

namespace Wire.AspNetCore.Http;

/// <summary>
/// A body that was received to its end: in the memory in which it arrived, or, if it came in pieces, in pieces of pooled memory, which are not
/// joined. Dispose of it once.
/// </summary>
internal sealed class ReceivedBody : IDisposable
{
    private readonly ReadOnlySequence<byte> _payload;
    private readonly PipeReader _reader;
    private readonly bool _isOwn;

    private ReceivedBody(ReadOnlySequence<byte> payload, PipeReader reader, bool isOwn)
    {
        _payload = payload;
        _reader = reader;
        _isOwn = isOwn;
    }

    /// <summary>Gets the options of pipes that keep a whole body: nothing waits for its reader.</summary>
    public static PipeOptions Pieces { get; } =
        new(minimumSegmentSize: 16 * 1024, pauseWriterThreshold: 0, resumeWriterThreshold: 0, useSynchronizationContext: false);

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
            return new ReceivedBody(piece.Buffer, reader, isOwn: false);
        }

        // What arrives is taken at once. If some of it were left in the pipe, Kestrel would find no way back from a body that ends early.
        var whole = new Pipe(Pieces);
        bool isWhole = false;
        try
        {
            while (TryMove(piece, reader, whole.Writer, ref most))
            {
                if (piece.IsCompleted)
                {
                    await whole.Writer.CompleteAsync().ConfigureAwait(false);
                    piece = await whole.Reader.ReadAsync(CancellationToken.None).ConfigureAwait(false);
                    isWhole = true;
                    return new ReceivedBody(piece.Buffer, whole.Reader, isOwn: true);
                }

                piece = await ReadAsync(reader, cancellationToken).ConfigureAwait(false);
            }

            return null;
        }
        finally
        {
            if (!isWhole)
            {
                await whole.Writer.CompleteAsync().ConfigureAwait(false);
                await whole.Reader.CompleteAsync().ConfigureAwait(false);
            }
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
        if (_isOwn)
        {
            _reader.Complete();
        }
        else
        {
            _reader.AdvanceTo(_payload.End);
        }
    }

    private static async ValueTask<ReadResult> ReadAsync(PipeReader reader, CancellationToken cancellationToken)
    {
        ReadResult piece = await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
        return piece.IsCanceled ? throw new OperationCanceledException("Reading the body was cancelled by its pipe.") : piece;
    }

    // False if that is more than may come.
    private static bool TryMove(ReadResult piece, PipeReader reader, PipeWriter whole, ref long most)
    {
        most -= piece.Buffer.Length;
        if (most >= 0)
        {
            foreach (ReadOnlyMemory<byte> memory in piece.Buffer)
            {
                whole.Write(memory.Span);
            }
        }

        reader.AdvanceTo(piece.Buffer.End);
        return most >= 0;
    }
}

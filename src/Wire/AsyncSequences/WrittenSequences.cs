using System.Buffers;
using System.IO.Pipelines;
using Wire.Framing;

namespace Wire.AsyncSequences;

/// <summary>The async sequences of a value that is being written, in the order of their numbers.</summary>
internal sealed class WrittenSequences
{
    private readonly List<Func<FrameTarget, CancellationToken, ValueTask<FlushResult>>> _all = [];

    // An empty frame.
    private static ReadOnlySpan<byte> End => [0, 0, 0, 0];

    /// <summary>Gets the number of sequences.</summary>
    public int Count => _all.Count;

    /// <summary>Adds a sequence.</summary>
    /// <param name="send">Sends its elements as frames, and returns the result of the last flush.</param>
    /// <returns>Its number.</returns>
    public uint Add(Func<FrameTarget, CancellationToken, ValueTask<FlushResult>> send)
    {
        _all.Add(send);
        return (uint)(_all.Count - 1);
    }

    /// <summary>Sends the sequences, each behind the end of the one before.</summary>
    /// <exception cref="OperationCanceledException">The token, or a flush of the pipe, was cancelled: the payload is not whole.</exception>
    public async ValueTask SendAllAsync(FrameTarget target, CancellationToken cancellationToken)
    {
        foreach (Func<FrameTarget, CancellationToken, ValueTask<FlushResult>> send in _all)
        {
            if (!WantsMore(await send(target, cancellationToken).ConfigureAwait(false)))
            {
                return;
            }

            // At once, since the source of the next one may be slow.
            target.Output.Write(End);
            if (!WantsMore(await target.FlushAsync(cancellationToken).ConfigureAwait(false)))
            {
                return;
            }
        }
    }

    /// <summary>Returns whether more is to be sent; false where the pipe's reader has gone.</summary>
    /// <exception cref="OperationCanceledException">The flush was cancelled.</exception>
    public static bool WantsMore(FlushResult flush) => flush.IsCanceled
        ? throw new OperationCanceledException("The pipe's flush was cancelled: the payload is not whole.")
        : !flush.IsCompleted;
}

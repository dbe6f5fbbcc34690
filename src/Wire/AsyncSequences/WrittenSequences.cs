using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Wire.Framing;

namespace Wire.AsyncSequences;

/// <summary>The async sequences of a value that is being written, in the order of their numbers.</summary>
internal sealed class WrittenSequences
{
    private readonly List<Func<FrameTarget, CancellationToken, ValueTask<FlushResult>>> _all = [];
    private readonly Dictionary<Source, uint> _numbers = [];

    // An empty frame.
    private static ReadOnlySpan<byte> End => [0, 0, 0, 0];

    /// <summary>Gets the number of sequences.</summary>
    public int Count => _all.Count;

    /// <summary>Adds a sequence, unless it is there: most sources give their elements once, and then none.</summary>
    /// <param name="source">The source.</param>
    /// <param name="element">The type of its elements.</param>
    /// <param name="send">Sends its elements as frames, and returns the result of the last flush.</param>
    /// <returns>Its number.</returns>
    public uint Add(object source, Type element, Func<FrameTarget, CancellationToken, ValueTask<FlushResult>> send)
    {
        if (!_numbers.TryGetValue(new Source(source, element), out uint number))
        {
            number = (uint)_all.Count;
            _all.Add(send);
            _numbers.Add(new Source(source, element), number);
        }

        return number;
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

    // By reference, whatever the class of the source calls equal.
    private readonly record struct Source(object Sequence, Type Element)
    {
        public bool Equals(Source other) => ReferenceEquals(Sequence, other.Sequence) && Element == other.Element;

        public override int GetHashCode() => HashCode.Combine(RuntimeHelpers.GetHashCode(Sequence), Element);
    }
}

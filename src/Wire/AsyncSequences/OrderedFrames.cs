using Wire.Framing;

namespace Wire.AsyncSequences;

/// <summary>
/// The frames of async sequences, one sequence behind the other: an empty frame ends each. What stands before a sequence that is asked for
/// is passed over, and so is what stands behind the last that can be asked for, when that has ended.
/// </summary>
/// <param name="source">Where the frames come from.</param>
/// <param name="first">The number of the sequence that begins there.</param>
/// <param name="last">The number of the last that can be asked for.</param>
/// <param name="count">The number behind that of the last which is passed over at its end.</param>
internal sealed class OrderedFrames(FrameSource source, uint first, uint last, uint count)
{
    private uint _current = first;

    /// <summary>Waits for the next frame of a sequence; one that is not found is its end.</summary>
    /// <exception cref="InvalidOperationException">A later sequence has been asked for.</exception>
    /// <exception cref="WireFormatException">The payload ends, or the frame is larger than the limit.</exception>
    public ValueTask<ReceivedFrame> NextAsync(uint number, CancellationToken cancellationToken)
    {
        if (number < _current)
        {
            throw new InvalidOperationException(
                "The elements of this async sequence have been passed over, because a later one of the payload was enumerated. Enumerate "
                + "them in their order, each to its end.");
        }

        // Most frames are there, and nothing is awaited then.
        ValueTask<ReceivedFrame> next = source.ReadAsync(cancellationToken);
        if (!next.IsCompletedSuccessfully)
        {
            return FindAsync(next, number, cancellationToken);
        }

        ReceivedFrame frame = next.Result;
        return frame is { IsFound: true, Payload.IsEmpty: false } && number == _current
            ? new(frame)
            : FindAsync(new(frame), number, cancellationToken);
    }

    /// <summary>Passes over what is left of all sequences.</summary>
    /// <exception cref="WireFormatException">The payload ends, or a frame is larger than the limit.</exception>
    public async ValueTask PassAllAsync(CancellationToken cancellationToken)
    {
        while (_current < count)
        {
            ReceivedFrame frame = Checked(await source.ReadAsync(cancellationToken).ConfigureAwait(false));
            _current += frame.Payload.IsEmpty ? 1u : 0;
            frame.Release();
        }
    }

    private async ValueTask<ReceivedFrame> FindAsync(ValueTask<ReceivedFrame> next, uint number, CancellationToken cancellationToken)
    {
        while (true)
        {
            ReceivedFrame frame = Checked(await next.ConfigureAwait(false));
            bool isEnd = frame.Payload.IsEmpty;
            if (number == _current && !isEnd)
            {
                return frame;
            }

            frame.Release();
            if (isEnd && _current++ == number)
            {
                if (number == last)
                {
                    await PassAllAsync(cancellationToken).ConfigureAwait(false);
                }

                return default;
            }

            next = source.ReadAsync(cancellationToken);
        }
    }

    private static ReceivedFrame Checked(ReceivedFrame frame) => frame.IsFound ? frame : throw new WireFormatException(
        WireFormatError.Frame,
        "The payload ends in front of the end of an async sequence: it was cut, or what wrote it has failed. The elements before are "
        + "whole; write it again.");
}

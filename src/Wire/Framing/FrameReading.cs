using System.Buffers;
using System.Runtime.CompilerServices;

namespace Wire.Framing;

/// <summary>Reads the values of frames, one or all of them.</summary>
/// <param name="source">The stream or the pipe.</param>
/// <param name="read">Reads the value of a payload.</param>
/// <remarks>Nothing of frames knows a serializer or a session, only what reads and writes one payload.</remarks>
internal readonly struct FrameReading<T>(FrameSource source, Func<ReadOnlySequence<byte>, T?> read)
{
    private readonly FrameSource _source = source;

    /// <summary>Gets which payloads are read when all are; null for every one.</summary>
    public PayloadCondition? Where { get; init; }

    /// <summary>Reads the next value.</summary>
    /// <exception cref="WireFormatException">
    /// There is none, with <see cref="WireFormatError.EndOfStream"/>; or it cannot be read.
    /// </exception>
    public async ValueTask<T?> ReadOneAsync(CancellationToken cancellationToken)
    {
        ReceivedFrame frame = await _source.ReadAsync(cancellationToken).ConfigureAwait(false);
        return frame.IsFound
            ? Read(frame)
            : throw new WireFormatException(WireFormatError.EndOfStream, "The stream has ended: there is no further frame. "
                + "TryDeserializeFramedAsync says so without an exception.");
    }

    /// <summary>Reads the next value, if the stream does not end in front of it.</summary>
    public async ValueTask<(bool Found, T? Value)> TryReadAsync(CancellationToken cancellationToken)
    {
        ReceivedFrame frame = await _source.ReadAsync(cancellationToken).ConfigureAwait(false);
        return frame.IsFound ? (true, Read(frame)) : (false, default);
    }

    /// <summary>Reads all values.</summary>
    public async IAsyncEnumerable<T?> ReadAllAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        while (await _source.ReadAsync(cancellationToken).ConfigureAwait(false) is { IsFound: true } frame)
        {
            if (TryRead(frame, out T? value))
            {
                yield return value;
            }
        }
    }

    /// <summary>Reads all values, and hands over the messages that cannot be read.</summary>
    /// <param name="handler">What gets them.</param>
    /// <param name="canGoOn">Says after a failure whether the messages behind it can be read.</param>
    /// <param name="cancellationToken">Ends the wait for a frame.</param>
    public async IAsyncEnumerable<T?> ReadAllAsync(
        Func<DeadLetter, ValueTask> handler, Func<bool> canGoOn, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        long position = 0, offset = 0;
        while (await _source.ReadAsync(cancellationToken).ConfigureAwait(false) is { IsFound: true } frame)
        {
            long length = frame.Payload.Length;
            T? value = default;
            DeadLetter? dead = null;
            try
            {
                value = ReadPayload(frame.Payload);
            }
            catch (Exception e)
            {
                if (!canGoOn())
                {
                    throw;
                }

                dead = new DeadLetter(frame.Payload.ToArray(), e, position, offset);
            }
            finally
            {
                frame.Release();
            }

            position++;
            offset += FrameHeader.Size + length;
            if (dead is null)
            {
                yield return value;
            }
            else
            {
                await handler(dead).ConfigureAwait(false);
            }
        }
    }

    private T? Read(in ReceivedFrame frame)
    {
        try
        {
            return ReadPayload(frame.Payload);
        }
        finally
        {
            frame.Release();
        }
    }

    // False where it is not wanted.
    private bool TryRead(in ReceivedFrame frame, out T? value)
    {
        try
        {
            bool isWanted = Where is null || Where(frame.Payload.IsSingleSegment ? frame.Payload.FirstSpan : frame.Payload.ToArray());
            value = isWanted ? ReadPayload(frame.Payload) : default;
            return isWanted;
        }
        finally
        {
            frame.Release();
        }
    }

    private T? ReadPayload(in ReadOnlySequence<byte> payload)
    {
        try
        {
            return read(payload);
        }
        catch (WireFormatException e)
        {
            e.TellEmpty(WireFormatException.EmptyFrame);
            throw;
        }
    }
}

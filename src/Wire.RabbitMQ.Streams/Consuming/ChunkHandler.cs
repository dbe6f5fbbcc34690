using System.Runtime.CompilerServices;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Diagnostics;
using Wire.RabbitMQ.Streams.Failures;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>
/// Handles the chunks of a consumer in order: parses them, delivers wanted messages, and updates the position.
/// </summary>
internal sealed class ChunkHandler(
    string stream,
    ChunkMessages chunk,
    ConsumerDispatch dispatch,
    StreamConsumerOptions options,
    StreamPosition position,
    OffsetTracker tracker,
    MessageFailures failures)
{
    private readonly ProcessSpans _spans = new(stream, options.Name);

    /// <summary>Handles a chunk until the subscription is interrupted, and releases it.</summary>
    /// <param name="subscription">The subscription that it came on.</param>
    /// <param name="received">The chunk.</param>
    /// <param name="closing">Fires when the consumer is closed.</param>
    /// <exception cref="StreamConsumerException">The consumer ends by a message that could not be read or handled.</exception>
    /// <exception cref="OperationCanceledException">
    /// It is closed while a message is on its way to the error stream, and counts as not handled.
    /// </exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask HandleAsync(Subscription subscription, ReceivedChunk received, CancellationToken closing)
    {
        int next = 0;
        int failed = 0;
        try
        {
            Memory<StreamMessage> all = Read(received);
            ReadOnlyMemory<StreamMessage> messages = options.Accepts is { } accepts
                ? await AcceptAsync(all, accepts, closing).ConfigureAwait(false)
                : all;
            dispatch.Begin(messages);
            while (next < messages.Length && !subscription.IsInterrupted)
            {
                try
                {
                    ProcessSpans? spans = ProcessSpans.IsOn ? _spans : null;
                    if (dispatch.CallHandler(messages.Span, subscription, position, spans, ref next, out ValueTask pending))
                    {
                        await pending.ConfigureAwait(false);
                        position.Handled(messages.Span[next++].Offset);
                    }
                }
                catch (Exception e)
                {
                    if (closing.IsCancellationRequested)
                    {
                        // It may have been stopped: the message comes again.
                        break;
                    }

                    ReadOnlyMemory<StreamMessage> those = messages.Slice(next, dispatch.TakesAll ? messages.Length - next : 1);
                    if (!await failures.TryAgainAsync(subscription, those.Span[0], dispatch, e).ConfigureAwait(false))
                    {
                        _spans.Count(those.Length, e);
                        await failures.FailAsync(those, closing).ConfigureAwait(false);
                        position.Handled(those.Span[^1].Offset);
                        next += those.Length;
                        failed += those.Length;
                    }
                }
            }

            // Skipped messages at its end were not wanted. After an interruption it continues at its position.
            if (next == messages.Length)
            {
                PassTo(chunk.Header.FirstOffset + chunk.Header.Records);
            }

            tracker.Passed(next);
        }
        finally
        {
            _spans.Count(next - failed);
            dispatch.End();
            chunk.Clear();
            received.Segment.Release();
        }
    }

    private Memory<StreamMessage> Read(ReceivedChunk received)
    {
        ChunkHeader? header = null;
        try
        {
            header = ChunkHeader.Read(received.Chunk.Span, received.Position);
            Enter(header.Value);
            return chunk.Read(header.Value, received.Chunk, received.Position, position.Next ?? 0);
        }
        catch (Exception e)
        {
            failures.FailChunk(header?.FirstOffset, header?.Records ?? 0, e);
            return default;
        }
    }

    // Reading continues with this chunk, which now identifies the stream.
    private void Enter(ChunkHeader header)
    {
        ulong behind = header.FirstOffset + header.Records;
        if (position.Next is not { } next)
        {
            // A chunk entirely before the requested offset means that the offset does not exist yet, and this chunk precedes it.
            position.MoveTo(
                position.Start.Offset is var asked && asked > header.FirstOffset && asked < behind ? asked : header.FirstOffset);
        }
        else if (header.FirstOffset > next)
        {
            position.MoveTo(header.FirstOffset);
        }

        if (behind > position.Next)
        {
            position.Reach(header);
        }
    }

    private void PassTo(ulong next)
    {
        if (next > position.Next)
        {
            position.Handled(next - 1);
        }
    }

    // Moves the accepted messages to the front, and returns them.
    private async ValueTask<ReadOnlyMemory<StreamMessage>> AcceptAsync(
        Memory<StreamMessage> messages, Func<StreamMessage, bool> accepts, CancellationToken closing)
    {
        int count = 0;
        for (int next = 0; next < messages.Length; next++)
        {
            if (Accept(messages.Span, accepts, ref next, ref count) is { } error)
            {
                await failures.FailAsync(messages.Slice(next, 1), error, closing).ConfigureAwait(false);
            }
        }

        return messages[..count];
    }

    // Up to one at which the callback throws.
    private static Exception? Accept(Span<StreamMessage> messages, Func<StreamMessage, bool> accepts, ref int next, ref int count)
    {
        for (; next < messages.Length; next++)
        {
            try
            {
                if (accepts(messages[next]))
                {
                    messages[count++] = messages[next];
                }
            }
            catch (Exception e)
            {
                return e;
            }
        }

        return null;
    }
}

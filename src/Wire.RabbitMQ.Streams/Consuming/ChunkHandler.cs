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
        int passed = 0;
        int next = 0;
        int failed = 0;
        long started = 0;
        try
        {
            Memory<StreamMessage> left = Read(received);
            started = ProcessSpans.Now;
            bool isThrough;
            do
            {
                ReadOnlyMemory<StreamMessage> messages = Accept(ref left, out ReadOnlyMemory<StreamMessage> refused, out Exception? error);
                dispatch.Begin(messages);
                while (next < messages.Length && !subscription.IsInterrupted)
                {
                    try
                    {
                        int first = next;
                        ProcessSpans? spans = ProcessSpans.IsOn ? _spans : null;
                        if (dispatch.CallHandler(messages.Span, subscription, position, spans, ref next, out ValueTask pending))
                        {
                            await pending.ConfigureAwait(false);
                            position.Handled(messages.Span[next++].Offset);
                        }

                        if (next > first)
                        {
                            failures.Succeeded();
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

                isThrough = next == messages.Length && (error is null || !subscription.IsInterrupted);
                dispatch.End();
                passed += next;
                next = 0;
                if (isThrough && error is not null)
                {
                    await failures.FailAsync(refused, error, closing).ConfigureAwait(false);
                    position.Handled(refused.Span[0].Offset);
                }
            }
            while (isThrough && !left.IsEmpty);

            // Skipped messages at its end were not wanted. After an interruption it continues at its position.
            if (isThrough)
            {
                PassTo(chunk.Header.FirstOffset + chunk.Header.Records);
            }

            tracker.Passed(passed);
        }
        finally
        {
            _spans.Count(passed + next - failed);
            _spans.Time(started, passed + next);
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

    // Takes the accepted messages up to one at which the callback throws, which is refused, and moves them to the front.
    private ReadOnlyMemory<StreamMessage> Accept(
        ref Memory<StreamMessage> left, out ReadOnlyMemory<StreamMessage> refused, out Exception? error)
    {
        Memory<StreamMessage> all = left;
        (left, refused, error) = (default, default, null);
        Func<StreamMessage, bool>? accepts = options.Accepts;
        PayloadCondition? where = options.Where;
        if (accepts is null && where is null)
        {
            return all;
        }

        Span<StreamMessage> messages = all.Span;
        int count = 0;
        for (int i = 0; i < messages.Length; i++)
        {
            try
            {
                if ((where is null || MessageObject.Meets(messages[i], chunk, where)) && (accepts is null || accepts(messages[i])))
                {
                    messages[count++] = messages[i];
                }
            }
            catch (Exception e)
            {
                (left, refused, error) = (all[(i + 1)..], all.Slice(i, 1), e);
                break;
            }
        }

        return all[..count];
    }
}

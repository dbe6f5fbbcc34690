using System.Runtime.CompilerServices;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Diagnostics;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>
/// Handles the chunks of a consumer in order: parses them, delivers wanted messages, and updates the position.
/// </summary>
internal sealed class ChunkHandler(
    string stream, ChunkMessages chunk, ConsumerDispatch dispatch, StreamConsumerOptions options, StreamPosition position,
    OffsetTracker tracker)
{
    private readonly ProcessSpans _spans = new(stream, options.Name);

    /// <summary>Handles a chunk until the subscription is interrupted, and releases it.</summary>
    /// <exception cref="StreamConsumerException">The consumer ends by a message that could not be read or handled.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask HandleAsync(Subscription subscription, ReceivedChunk received)
    {
        int next = 0;
        int failed = 0;
        try
        {
            ReadOnlyMemory<StreamMessage> messages = Read(received);
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
                    int last = dispatch.TakesAll ? messages.Length - 1 : next;
                    ulong skipped = messages.Span[last].Offset;
                    ulong first = messages.Span[next].Offset;
                    int count = last + 1 - next;
                    _spans.Count(count, e);
                    Fail(first, (uint)(skipped - first + 1), e);
                    position.Handled(skipped);
                    next = last + 1;
                    failed += count;
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

    private ReadOnlyMemory<StreamMessage> Read(ReceivedChunk received)
    {
        ChunkHeader? header = null;
        try
        {
            header = ChunkHeader.Read(received.Chunk.Span, received.Position);
            Enter(header.Value);
            Memory<StreamMessage> messages = chunk.Read(header.Value, received.Chunk, received.Position, position.Next ?? 0);
            return options.Accepts is null ? messages : messages[..Accept(messages.Span, options.Accepts)];
        }
        catch (Exception e) when (e is not StreamConsumerException)
        {
            Fail(header?.FirstOffset, header?.Records ?? 0, e, isChunk: true);
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

    // Moves the accepted messages to the front, and returns their number.
    private int Accept(Span<StreamMessage> messages, Func<StreamMessage, bool> accepts)
    {
        int count = 0;
        foreach (StreamMessage message in messages)
        {
            try
            {
                if (accepts(message))
                {
                    messages[count++] = message;
                }
            }
            catch (Exception e)
            {
                Fail(message.Offset, 1, e);
            }
        }

        return count;
    }

    // Skips messages, or ends.
    private void Fail(ulong? first, uint count, Exception error, bool isChunk = false)
    {
        // A damaged chunk may state zero messages.
        string where = first is null ? "" : count <= 1 ? $" with the offset {first}" : $" with the offsets {first} to {first + count - 1}";
        string what = $"{(isChunk ? "chunk" : count == 1 ? "message" : "messages")}{where}";
        var failure = new StreamConsumerException(
            $"The {what} of '{stream}' could not be {(isChunk ? "read" : "handled")}: {error.Message}", stream, first, count, error);
        if (Decide(failure) != StreamFailedMessage.Skip)
        {
            throw failure;
        }
    }

    private StreamFailedMessage Decide(StreamConsumerException failure)
    {
        try
        {
            return options.OnFailure?.Invoke(failure) ?? StreamFailedMessage.End;
        }
        catch (Exception e)
        {
            throw new StreamConsumerException(
                $"{nameof(StreamConsumerOptions.OnFailure)} has thrown: {e.Message} The failure that it was called with: {failure.Message}",
                stream,
                failure.Offset,
                failure.Count,
                new AggregateException(e, failure));
        }
    }
}

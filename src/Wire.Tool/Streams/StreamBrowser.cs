using Wire.RabbitMQ.Streams;
using Wire.Tool.Running;

namespace Wire.Tool.Streams;

/// <summary>Reads messages of a stream. It has no name there, so that no offset is ever stored.</summary>
/// <param name="client">The client.</param>
/// <param name="stream">The name of the stream.</param>
/// <param name="complain">Gets a line for what cannot be read.</param>
internal sealed class StreamBrowser(StreamClient client, string stream, Action<string> complain)
{
    // A broker before 3.11 does not say that a stream is empty: there is nothing then.
    private static readonly TimeSpan EndPause = TimeSpan.FromSeconds(3);

    // What is there comes at once; more than that is a fault.
    private static readonly TimeSpan MessagePause = TimeSpan.FromSeconds(30);

    /// <summary>Finds the last message; null where the stream is empty.</summary>
    public async Task<StreamEnd?> FindEndAsync()
    {
        TimeSpan pause = MessagePause;
        try
        {
            StreamStatistics statistics = await client.GetStatisticsAsync(stream).ConfigureAwait(false);
            if (statistics.FirstOffset is null)
            {
                return null;
            }
        }
        catch (NotSupportedException)
        {
            pause = EndPause;
        }

        var found = new TaskCompletionSource<StreamEnd>(TaskCreationOptions.RunContinuationsAsynchronously);
        StreamConsumer consumer = await client.ConsumeBatchesAsync(
            stream,
            messages => found.TrySetResult(new(messages[^1].Offset, messages[^1].Timestamp)),
            new StreamConsumerOptions
            {
                Offset = StreamOffset.Last,
                Credit = 1,
                OnFailure = failure =>
                {
                    // A chunk that cannot be read is one as well.
                    if (failure.Offset is { } first)
                    {
                        found.TrySetResult(new(first + Math.Max(failure.Count, 1) - 1, DateTimeOffset.MaxValue));
                    }

                    return StreamFailedMessage.Skip;
                },
            }).ConfigureAwait(false);
        await using (consumer.ConfigureAwait(false))
        {
            Task first = await Task.WhenAny(found.Task, consumer.Completion, Task.Delay(pause)).ConfigureAwait(false);
            await first.ConfigureAwait(false);
            return found.Task.IsCompletedSuccessfully ? await found.Task.ConfigureAwait(false) : null;
        }
    }

    /// <summary>Reads messages.</summary>
    /// <param name="from">Where it begins.</param>
    /// <param name="last">The offset of the last one; null for none, as those are waited for that will be published.</param>
    /// <param name="most">The number of messages.</param>
    /// <param name="use">Gets each message, which is valid until it returns; false for no more.</param>
    public async Task ForEachAsync(StreamOffset from, ulong? last, long most, Func<StreamMessage, bool> use)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        long left = most;
        long moves = 0;
        StreamConsumer consumer = await client.ConsumeAsync(
            stream,
            message =>
            {
                Interlocked.Increment(ref moves);
                if (done.Task.IsCompleted)
                {
                    return ValueTask.CompletedTask;
                }

                try
                {
                    if (!use(message) || --left <= 0 || message.Offset >= last)
                    {
                        done.TrySetResult();
                    }
                }
                catch (Exception exception)
                {
                    done.TrySetException(exception);
                }

                return ValueTask.CompletedTask;
            },
            new StreamConsumerOptions
            {
                Offset = from,
                OnFailure = failure =>
                {
                    Interlocked.Increment(ref moves);
                    if (!done.Task.IsCompleted)
                    {
                        complain(PlainText.Show(failure.Message));
                    }

                    if (failure.Offset is not { } first || first + Math.Max(failure.Count, 1) > last)
                    {
                        done.TrySetResult();
                    }

                    return StreamFailedMessage.Skip;
                },
            }).ConfigureAwait(false);
        await using (consumer.ConfigureAwait(false))
        {
            long before = -1;
            Task ended = Task.WhenAny(done.Task, consumer.Completion);
            while (await Task.WhenAny(ended, Task.Delay(MessagePause)).ConfigureAwait(false) != ended)
            {
                long now = Interlocked.Read(ref moves);
                if (last is not null && now == before)
                {
                    throw new TimeoutException(FormattableString.Invariant(
                        $"The broker has sent no message for {MessagePause.TotalSeconds:0} s, before offset {last}."));
                }

                before = now;
            }

            if (done.Task.IsCompleted)
            {
                await done.Task.ConfigureAwait(false);
            }
            else
            {
                await consumer.Completion.ConfigureAwait(false);
            }
        }
    }
}

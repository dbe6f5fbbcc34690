namespace Wire.RabbitMQ.Streams.Hosting.Services;

/// <summary>A consumer that the host has started: of a stream, or of all partitions of a super stream.</summary>
/// <param name="Stream">The stream, or super stream.</param>
/// <param name="Partitions">Gets the consumers that there are now.</param>
/// <param name="Interruption">Gets why not all partitions are consumed, or known.</param>
/// <param name="Completion">Ends when it has ended.</param>
/// <param name="CloseAsync">Closes it, and waits for the handler that runs.</param>
internal sealed record HostedConsumer(
    string Stream,
    Func<IReadOnlyList<StreamConsumer>> Partitions,
    Func<Exception?> Interruption,
    Task Completion,
    Func<CancellationToken, Task> CloseAsync)
{
    /// <summary>Starts one.</summary>
    public static async Task<HostedConsumer> StartAsync<T>(
        StreamClient client,
        IServiceProvider provider,
        string stream,
        bool isSuper,
        Func<T, StreamMessage, ValueTask> handler,
        StreamConsumerOptions options,
        CancellationToken cancellationToken)
    {
        if (HostingLog.Find(provider) is { } logger)
        {
            options = options.Logged(logger, stream);
        }

        if (isSuper)
        {
            SuperStreamConsumer all =
                await client.ConsumeSuperStreamAsync(stream, handler, options, cancellationToken).ConfigureAwait(false);
            return new HostedConsumer(stream, () => all.Partitions, () => all.Interruption, all.Completion, all.CloseAsync);
        }

        StreamConsumer consumer = await client.ConsumeAsync(stream, handler, options, cancellationToken).ConfigureAwait(false);
        return new HostedConsumer(stream, () => [consumer], () => null, consumer.Completion, consumer.CloseAsync);
    }
}

using Wire.Amqp.Client;
using Wire.Tool.Running;

namespace Wire.Tool.Queues;

/// <summary>
/// Looks at the messages of a queue. None is acknowledged or rejected: the broker has them back, at their places, when the channel ends, in
/// whatever way.
/// </summary>
internal sealed class QueueBrowser : IAsyncDisposable
{
    // Asked for at a time, so that a broker far away answers as soon as one nearby.
    private const int Ahead = 64;

    private readonly AmqpChannel _channel;
    private readonly QueueSettings _settings;

    private QueueBrowser(AmqpChannel channel, QueueSettings settings, AmqpQueueInfo queue)
    {
        _channel = channel;
        _settings = settings;
        Ready = queue.MessageCount;
        Consumers = queue.ConsumerCount;
    }

    /// <summary>Gets the number of messages that were ready in the queue.</summary>
    public long Ready { get; }

    /// <summary>Gets the number of its consumers.</summary>
    public long Consumers { get; }

    /// <summary>Finds a queue, and makes sure that looking at it changes nothing.</summary>
    /// <exception cref="ToolException">There is none, or looking would change it.</exception>
    public static async Task<QueueBrowser> OpenAsync(AmqpConnection connection, QueueSettings settings)
    {
        AmqpChannel channel = await connection.OpenChannelAsync(new() { EndsWithConnection = true }).ConfigureAwait(false);
        AmqpQueueInfo queue = await channel.Topology.FindQueueAsync(settings.Queue).ConfigureAwait(false) ?? throw new ToolException(
            $"There is no queue {settings.Name} in the virtual host {PlainText.Show(connection.Options.VirtualHost)} of "
            + $"{PlainText.Show(connection.Endpoint.ToString())}.",
            ExitCodes.Usage);
        switch (await QueueKinds.FindAsync(connection, settings.Queue).ConfigureAwait(false))
        {
            case QueueKind.Stream:
                throw new ToolException($"{settings.Name} is a stream: wire stream shows its messages.", ExitCodes.Usage);
            case QueueKind.Quorum when !settings.CountsDelivery:
                throw new ToolException(
                    $"{settings.Name} is a quorum queue, which counts each look at a message as a delivery, and drops or dead-letters a "
                    + "message with more than its x-delivery-limit. Give --count-delivery to look all the same.",
                    ExitCodes.Usage);
            case QueueKind.Unknown when !settings.CountsDelivery:
                throw new ToolException(
                    $"The broker does not say whether {settings.Name} is a quorum queue, which counts each look at a message as a delivery "
                    + "(x-delivery-limit); the user needs the permission to configure it. Give --count-delivery to look all the same.",
                    ExitCodes.Usage);
        }

        return new(channel, settings, queue);
    }

    /// <summary>Looks at messages from the front, each once.</summary>
    /// <param name="most">The number of messages; null for as many as were ready, whatever arrives meanwhile.</param>
    /// <param name="use">Gets each message, which is valid until it returns; false for no more.</param>
    /// <returns>How many it was called with.</returns>
    public async Task<long> ForEachAsync(long? most, Func<AmqpDelivery, bool> use)
    {
        var asked = new Queue<Task<AmqpDelivery?>>();
        long left = most ?? Ready;
        long used = 0;
        bool isWanted = true;
        while (isWanted || asked.Count > 0)
        {
            while (isWanted && left > 0 && asked.Count < Ahead)
            {
                asked.Enqueue(_channel.GetAsync(_settings.Queue));
                left--;
            }

            if (!asked.TryDequeue(out Task<AmqpDelivery?>? answer))
            {
                break;
            }

            if (await answer.ConfigureAwait(false) is not { } delivery)
            {
                isWanted = false;
                continue;
            }

            using (delivery)
            {
                if (isWanted)
                {
                    used++;
                    isWanted = use(delivery);
                }
            }
        }

        return used;
    }

    /// <summary>Gets the next message, which only <see cref="Acknowledge"/> takes out of the queue; null where there is none.</summary>
    public Task<AmqpDelivery?> GetAsync() => _channel.GetAsync(_settings.Queue);

    /// <summary>Takes a message out of the queue.</summary>
    public void Acknowledge(ulong deliveryTag) => _channel.Ack(deliveryTag);

    /// <summary>Gives all messages back.</summary>
    public ValueTask DisposeAsync() => _channel.DisposeAsync();
}

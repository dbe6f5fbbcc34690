using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Connections;

/// <summary>A channel of Wire.Amqp.Client, which needs no adapting.</summary>
internal sealed class DirectChannel : IMessageChannel
{
    public DirectChannel(AmqpChannel channel, ChannelEvents events)
    {
        Channel = channel;
        if (events.Lost is { } lost)
        {
            channel.Lost += lost;
        }

        if (events.Returned is { } returned)
        {
            channel.Returned += message => returned(new ReturnedMessage(
                message.Exchange.ToString(),
                message.RoutingKey.ToString(),
                message.ReplyCode,
                message.ReplyText.ToString(),
                message.Properties.MessageId.Text(),
                message.Properties.CorrelationId.Text()));
        }
    }

    public AmqpChannel Channel { get; }

    public bool IsOpen => Channel.IsOpen;

    public int InFlight => Channel.InFlight;

    public bool HasRoom => Channel.HasRoom;

    public Task Completion => Channel.Completion;

    public ValueTask PublishAsync<T>(
        in BasicPublish method, in BasicProperties properties, T message, IAmqpPublishObserver? observer,
        CancellationToken cancellationToken) =>
        typeof(T) == typeof(RawBody)
            ? Channel.PublishBytesAsync(in method, in properties, ((RawBody)(object)message!).Bytes, null, observer, cancellationToken)
            : Channel.PublishAsync(in method, in properties, message, null, observer, cancellationToken);

    public Task CloseAsync(CancellationToken patience) => Channel.CloseAsync(patience);

    public async Task<IMessageConsumer> ConsumeAsync(
        string queue, Func<IDelivery, ValueTask> handler, AmqpConsumeOptions options, CancellationToken cancellationToken)
    {
        var names = new LastNames();
        return new Consumer(await Channel.ConsumeAsync(
            queue, delivery => handler(new DirectDelivery(delivery, names)), options, cancellationToken).ConfigureAwait(false));
    }

    public ValueTask DisposeAsync() => Channel.DisposeAsync();

    private sealed class Consumer(AmqpConsumer consumer) : IMessageConsumer
    {
        public Task Ended => consumer.Ended;

        // The session is that of its latest start that the broker has answered.
        public bool IsConsuming => !consumer.HasEnded && consumer.Session is { Channel.End: null };

        public int Concurrency
        {
            get => consumer.Concurrency;
            set => consumer.Concurrency = value;
        }

        public ValueTask DisposeAsync() => consumer.DisposeAsync();
    }

    // Most messages have the same strings as the previous one, which are reused. Any thread may replace them.
    private sealed class LastNames
    {
        private string _exchange = "";
        private string _routingKey = "";

        public string Exchange(AmqpString text) => Intern(ref _exchange, text);

        public string RoutingKey(AmqpString text) => Intern(ref _routingKey, text);

        private static string Intern(ref string last, AmqpString text)
        {
            string known = Volatile.Read(ref last);
            if (text.Equals(known))
            {
                return known;
            }

            known = text.ToString();
            Volatile.Write(ref last, known);
            return known;
        }
    }

    private sealed class DirectDelivery(AmqpDelivery delivery, LastNames names) : IDelivery
    {
        public ulong Tag { get; } = delivery.DeliveryTag;

        public bool Redelivered { get; } = delivery.Redelivered;

        public string Exchange { get; } = names.Exchange(delivery.Exchange);

        public string RoutingKey { get; } = names.RoutingKey(delivery.RoutingKey);

        public BasicProperties Properties => delivery.Properties;

        public ReadOnlySequence<byte> Body => delivery.Body;

        public long BodySize => delivery.BodySize;

        public CancellationToken Lost => delivery.Lost;

        public void Settle(Settlement settlement)
        {
            if (settlement == Settlement.Ack)
            {
                delivery.Ack();
            }
            else
            {
                delivery.Reject(requeue: settlement == Settlement.Requeue);
            }
        }

        public void Keep() => delivery.Keep();

        public void Release() => delivery.Dispose();
    }
}

using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Consuming;

/// <summary>A delivery that holds many messages: it is settled when all of them are. Thread-safe.</summary>
internal sealed class GatheredDelivery
{
    // What the broker has said of the whole, which holds for each.
    private static readonly AmqpString[] OfBroker = [MessageContext.DeliveryCountKey, StreamPosition.OffsetKey];

    private readonly IDelivery _whole;
    private readonly Func<IDelivery, IReadOnlyList<IDelivery>, Task> _end;
    private readonly List<(AmqpString Name, FieldValue Value)> _ofBroker = [];
    private readonly List<IDelivery> _left = [];
    private int _unsettled;

    /// <summary>Makes it.</summary>
    /// <param name="whole">The delivery, whose memory is kept.</param>
    /// <param name="messages">Its messages.</param>
    /// <param name="end">Called with those that were not acknowledged: settles the whole, and gives its memory back.</param>
    public GatheredDelivery(IDelivery whole, GatheredMessage[] messages, Func<IDelivery, IReadOnlyList<IDelivery>, Task> end)
    {
        (_whole, _end, _unsettled) = (whole, end, messages.Length);
        FieldTable headers = whole.Properties.Headers;
        foreach (AmqpString name in headers.IsEmpty ? [] : OfBroker)
        {
            if (headers.TryGetValue(name, out FieldValue value))
            {
                _ofBroker.Add((name, value));
            }
        }

        Parts = [.. messages.Select(message => new Part(this, message))];
    }

    /// <summary>Gets its messages, each as a delivery of its own.</summary>
    public IReadOnlyList<IDelivery> Parts { get; }

    /// <summary>Gets the end of the whole, which has begun when all of its messages are settled; null before.</summary>
    public Task? Ended { get; private set; }

    private void Settled(Part part, Settlement settlement)
    {
        if (settlement != Settlement.Ack)
        {
            lock (_left)
            {
                _left.Add(part);
            }
        }

        if (Interlocked.Decrement(ref _unsettled) == 0)
        {
            Ended = _end(_whole, _left);
        }
    }

    private sealed class Part(GatheredDelivery of, GatheredMessage message) : IDelivery
    {
        public ulong Tag => of._whole.Tag;

        public bool Redelivered => of._whole.Redelivered;

        public string Exchange => of._whole.Exchange;

        public string RoutingKey => of._whole.RoutingKey;

        public BasicProperties Properties => of._ofBroker.Count == 0 ? message.Properties : WithHeadersOfBroker();

        public ReadOnlySequence<byte> Body => new(message.Body);

        public long BodySize => message.Body.Length;

        public CancellationToken Lost => of._whole.Lost;

        public void Settle(Settlement settlement) => of.Settled(this, settlement);

        // Its memory is its own.
        public void Keep()
        {
        }

        public void Release()
        {
        }

        private BasicProperties WithHeadersOfBroker()
        {
            BasicProperties properties = message.Properties;
            var headers = new FieldTableBuilder();
            foreach ((AmqpString name, FieldValue value) in properties.Headers)
            {
                if (!of._ofBroker.Exists(each => each.Name.Equals(name)))
                {
                    headers.Add(name, value);
                }
            }

            of._ofBroker.ForEach(each => headers.Add(each.Name, each.Value));
            properties.Headers = headers.ToTable();
            return properties;
        }
    }
}

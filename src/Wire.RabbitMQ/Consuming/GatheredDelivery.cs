using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Delays;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Consuming;

/// <summary>A delivery that holds many messages: it ends when all of them are over. Thread-safe.</summary>
internal sealed class GatheredDelivery
{
    private readonly Func<GatheredDelivery, Task> _end;
    private int _left;

    /// <summary>Makes it.</summary>
    /// <param name="whole">The delivery, whose memory is kept.</param>
    /// <param name="messages">Its messages.</param>
    /// <param name="end">Called when all of them are over: settles the whole, and gives its memory back. Does not throw.</param>
    public GatheredDelivery(IDelivery whole, GatheredMessage[] messages, Func<GatheredDelivery, Task> end)
    {
        (Whole, _end, _left) = (whole, end, messages.Length);

        // What the broker has said of the whole holds for each. Its publisher has given it none.
        var headers = new List<(AmqpString Name, FieldValue Value)>();
        foreach ((AmqpString name, FieldValue value) in whole.Properties.Headers)
        {
            if (!name.ToString().StartsWith(RetryState.Prefix, StringComparison.Ordinal))
            {
                headers.Add((name, value));
            }
        }

        Parts = [.. messages.Select(message => new Part(this, message, headers))];
    }

    /// <summary>Gets the delivery.</summary>
    public IDelivery Whole { get; }

    /// <summary>Gets its messages, each as a delivery of its own.</summary>
    public IReadOnlyList<Part> Parts { get; }

    /// <summary>Gets the end of the whole, which has begun when all of its messages are over; null before.</summary>
    public Task? Ended { get; private set; }

    private void EndPart()
    {
        if (Interlocked.Decrement(ref _left) == 0)
        {
            Ended = _end(this);
        }
    }

    /// <summary>One of the messages. It is over when it is released, once, settled or not.</summary>
    /// <param name="of">The delivery.</param>
    /// <param name="message">The message.</param>
    /// <param name="ofBroker">The headers of the delivery.</param>
    internal sealed class Part(GatheredDelivery of, GatheredMessage message, List<(AmqpString Name, FieldValue Value)> ofBroker)
        : IDelivery
    {
        private FieldTable? _headers;

        /// <summary>Gets how it was settled; null where it was not.</summary>
        public Settlement? Settlement { get; private set; }

        /// <summary>Gets the message as it came.</summary>
        public GatheredMessage Message => message;

        public ulong Tag => of.Whole.Tag;

        public bool Redelivered => of.Whole.Redelivered;

        public string Exchange => of.Whole.Exchange;

        public string RoutingKey => of.Whole.RoutingKey;

        public BasicProperties Properties
        {
            get
            {
                BasicProperties properties = message.Properties;
                if (ofBroker.Count != 0 || !properties.Headers.IsEmpty)
                {
                    properties.Headers = _headers ??= HeadersWith(properties.Headers);
                }

                return properties;
            }
        }

        public ReadOnlySequence<byte> Body => new(message.Body);

        public long BodySize => message.Body.Length;

        public CancellationToken Lost => of.Whole.Lost;

        public void Settle(Settlement settlement) => Settlement = settlement;

        // Its memory is its own.
        public void Keep()
        {
        }

        public void Release() => of.EndPart();

        // What only a broker says is not its own.
        private FieldTable HeadersWith(FieldTable own)
        {
            var headers = new FieldTableBuilder();
            foreach ((AmqpString name, FieldValue value) in own)
            {
                string text = name.ToString();
                if (!RetryState.OfBroker.Contains(text) && !ofBroker.Exists(each => each.Name.Equals(name)))
                {
                    headers.Add(name, value);
                }
            }

            ofBroker.ForEach(each => headers.Add(each.Name, each.Value));
            return headers.ToTable();
        }
    }
}

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
    private readonly GatheredMessage[] _messages;
    private readonly Settlement?[] _settlements;

    // What the broker has said of the whole holds for each. Its publisher has given it none.
    private readonly List<(AmqpString Name, FieldValue Value)> _ofBroker = [];
    private int _left;

    /// <summary>Makes it.</summary>
    /// <param name="whole">The delivery, whose memory is kept.</param>
    /// <param name="messages">Its messages.</param>
    /// <param name="end">Called when all of them are over: settles the whole, and gives its memory back. Does not throw.</param>
    public GatheredDelivery(IDelivery whole, GatheredMessage[] messages, Func<GatheredDelivery, Task> end)
    {
        (Whole, _end, _messages, _settlements, _left) = (whole, end, messages, new Settlement?[messages.Length], messages.Length);
        foreach ((AmqpString name, FieldValue value) in whole.Properties.Headers)
        {
            if (!name.ToString().StartsWith(RetryState.Prefix, StringComparison.Ordinal))
            {
                _ofBroker.Add((name, value));
            }
        }
    }

    /// <summary>Gets the delivery.</summary>
    public IDelivery Whole { get; }

    /// <summary>Gets the number of messages.</summary>
    public int Count => _messages.Length;

    /// <summary>Gets the end of the whole, which has begun when all of its messages are over; null before.</summary>
    public Task? Ended { get; private set; }

    /// <summary>
    /// Returns one of the messages as a delivery of its own. It is made when it is asked for: all at once, they would be far away in memory
    /// when their turn comes.
    /// </summary>
    public Part PartOf(int number) => new(this, number);

    /// <summary>Returns the messages that were settled in some way, or not at all, when all are over.</summary>
    public Part[] Where(Func<Settlement?, bool> settled) =>
        Array.TrueForAll(_settlements, settlement => !settled(settlement))
            ? []
            : [.. Enumerable.Range(0, Count).Where(number => settled(_settlements[number])).Select(PartOf)];

    private void EndPart()
    {
        if (Interlocked.Decrement(ref _left) == 0)
        {
            Ended = _end(this);
        }
    }

    /// <summary>One of the messages. It is over when it is released, once, settled or not.</summary>
    /// <param name="of">The delivery.</param>
    /// <param name="number">Its number.</param>
    internal sealed class Part(GatheredDelivery of, int number) : IDelivery
    {
        private FieldTable? _headers;

        /// <summary>Gets how it was settled; null where it was not.</summary>
        public Settlement? Settlement => of._settlements[number];

        /// <summary>Gets the message as it came.</summary>
        public ref readonly GatheredMessage Message => ref of._messages[number];

        public ulong Tag => of.Whole.Tag;

        public bool Redelivered => of.Whole.Redelivered;

        public string Exchange => of.Whole.Exchange;

        public string RoutingKey => of.Whole.RoutingKey;

        public BasicProperties Properties
        {
            get
            {
                BasicProperties properties = Message.Properties;
                if (of._ofBroker.Count != 0 || !properties.Headers.IsEmpty)
                {
                    properties.Headers = _headers ??= HeadersWith(properties.Headers);
                }

                return properties;
            }
        }

        public ReadOnlySequence<byte> Body => new(Message.Body);

        public long BodySize => Message.Body.Length;

        public CancellationToken Lost => of.Whole.Lost;

        public void Settle(Settlement settlement) => of._settlements[number] = settlement;

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
                if (!RetryState.OfBroker.Contains(text) && !of._ofBroker.Exists(each => each.Name.Equals(name)))
                {
                    headers.Add(name, value);
                }
            }

            of._ofBroker.ForEach(each => headers.Add(each.Name, each.Value));
            return headers.ToTable();
        }
    }
}

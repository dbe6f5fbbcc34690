using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Client;
using Wire.RabbitMQ.Connections;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Tests.Client;

/// <summary>
/// Whatever the broker says and in whatever order, each message is taken out of the ring once, and exactly when the broker has spoken of
/// it.
/// </summary>
public sealed class InFlightRingTests
{
    private const int MaxBytes = 1000;

    [Fact]
    public void It_holds_what_a_table_by_numbers_would_hold() => Prop.ForAll(
        Gen.Zip(Gen.Choose(0, 9), Gen.Choose(0, 99)).ListOf().Resize(300).ToArbitrary(),
        Gen.Choose(1, 20).ToArbitrary(),
        (steps, capacity) =>
        {
            var ring = new InFlightRing(capacity, MaxBytes);
            var table = new SortedDictionary<ulong, ClientPublication>();
            ulong next = 1;
            foreach ((int step, int number) in steps)
            {
                switch (step)
                {
                    case < 5 when !ring.IsFull:
                        var added = new Message { Bytes = number * 5 };
                        ring.Add(added);
                        table.Add(next++, added);
                        break;
                    case 5 when table.TryGetValue(next - 1, out ClientPublication? latest):
                        Assert.True(ring.TryTakeBack(latest));
                        table.Remove(--next);
                        break;
                    case 5:
                        Assert.False(ring.TryTakeBack(new Message()));
                        break;
                    case 6 or 7:
                        // Numbers that were answered before, and those that were never sent, mean nothing.
                        ulong told = (ulong)(number % 25) + Math.Max(next, 20) - 20;
                        bool multiple = step == 7;
                        List<ulong> meant = [.. table.Keys.Where(key => told < next && (key == told || (multiple && key < told)))];
                        Assert.Equal(meant.Select(key => table[key]), All(ring.Take(told, multiple)));
                        meant.ForEach(key => table.Remove(key));
                        break;
                    case 8 when number < 5:
                        Assert.Equal(table.Values, All(ring.TakeAll()));
                        table.Clear();
                        break;
                }

                Assert.Equal(table.Count == 0 ? 0 : (int)(next - table.Keys.First()), ring.Count);
                Assert.Equal(ring.Count == capacity || table.Values.Sum(each => each.Bytes) >= MaxBytes, ring.IsFull);
            }
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void What_comes_back_is_noted_on_the_oldest_message_that_it_can_be_and_once()
    {
        var ring = new InFlightRing(8, MaxBytes);
        Message[] messages = [.. Enumerable.Range(0, 4).Select(i => new Message(i == 0 ? "other" : "same"))];
        foreach (Message message in messages)
        {
            ValueTask begun = message.Begin(
                null!,
                new BasicPublish { Exchange = "exchange", RoutingKey = "key", Mandatory = true },
                new BasicProperties { MessageId = message.Id },
                null,
                default);
            Assert.False(begun.IsCompleted);
            ring.Add(message);
        }

        ring.Return(new ReturnedMessage("exchange", "key", 312, "NO_ROUTE", "same", null));
        ring.Return(new ReturnedMessage("exchange", "key", 312, "NO_ROUTE", "same", null));
        ring.Return(new ReturnedMessage("exchange", "another key", 312, "NO_ROUTE", "same", null));

        Assert.Equal([false, true, true, false], messages.Select(message => message.Return is not null));
    }

    private static List<ClientPublication> All(OperationQueue<ClientPublication> queue)
    {
        var all = new List<ClientPublication>();
        while (queue.TryTake() is { } operation)
        {
            all.Add(operation);
        }

        return all;
    }

    private sealed class Message : ClientPublication
    {
        public Message(string? id = null) => Id = id;

        public string? Id { get; }

        protected override bool CancelsInFlight => true;

        protected override ValueTask SendAsync(RawChannel channel) => throw new NotSupportedException();
    }
}

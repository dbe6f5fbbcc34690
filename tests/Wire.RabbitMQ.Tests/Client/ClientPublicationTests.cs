using Wire.Amqp.V091;
using Wire.RabbitMQ.Client;
using Wire.RabbitMQ.Connections;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Tests.Client;

/// <summary>What is told of one message is noted on that one.</summary>
public sealed class ClientPublicationTests
{
    [Fact]
    public void What_comes_back_is_noted_on_the_oldest_message_that_it_can_be_and_once()
    {
        var ring = new ConfirmRing<ClientPublication>(8, long.MaxValue);
        var index = new ConfirmIndex<ClientPublication, ReturnKey>(ring, ClientPublication.ReturnKeyOf);
        Message[] messages = [.. Enumerable.Range(0, 4).Select(i => new Message(i == 0 ? "other" : "same"))];
        foreach (Message message in messages)
        {
            ValueTask begun = message.StartWaiting(
                null!,
                new BasicPublish { Exchange = "exchange", RoutingKey = "key", Mandatory = true },
                new BasicProperties { MessageId = message.Id },
                null,
                default);
            Assert.False(begun.IsCompleted);
            ring.Add(message);
        }

        ClientPublication.Return(index, new ReturnedMessage("exchange", "key", 312, "NO_ROUTE", "same", null));
        ClientPublication.Return(index, new ReturnedMessage("exchange", "key", 312, "NO_ROUTE", "same", null));
        ClientPublication.Return(index, new ReturnedMessage("exchange", "another key", 312, "NO_ROUTE", "same", null));

        Assert.Equal([false, true, true, false], messages.Select(message => message.Returned is not null));
    }

    private sealed class Message : ClientPublication
    {
        public Message(string? id = null) => Id = id;

        public string? Id { get; }

        protected override bool CancelsInFlight => true;

        protected override ValueTask SendAsync(RawChannel channel) => throw new NotSupportedException();
    }
}

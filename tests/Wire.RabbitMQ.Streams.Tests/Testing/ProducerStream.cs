using System.Buffers.Binary;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>A stream of the real broker for one test, and a client for it.</summary>
internal sealed class ProducerStream : IAsyncDisposable
{
    private static readonly byte[] Mark = "the end of what a test reads"u8.ToArray();

    private ProducerStream(StreamClient client) => Client = client;

    public StreamClient Client { get; }

    public string Name { get; } = Broker.UniqueName("producer");

    public static async Task<ProducerStream> CreateAsync(StreamClientOptions? options = null)
    {
        var stream = new ProducerStream(new StreamClient(options ?? StreamBroker.Options));
        await stream.MakeAsync();
        return stream;
    }

    /// <summary>A number as a message of eight bytes.</summary>
    public static byte[] Body(long number)
    {
        byte[] body = new byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(body, number);
        return body;
    }

    /// <summary>Creates it, again perhaps.</summary>
    public Task MakeAsync() => Client.CreateStreamAsync(Name);

    /// <summary>Deletes it.</summary>
    public Task DropAsync() => Client.DeleteStreamAsync(Name);

    /// <summary>Reads all that the stream has, as it was published.</summary>
    public async Task<List<byte[]>> ReadAsync()
    {
        var messages = new List<byte[]>();
        await ReadAsync(body => messages.Add(body.ToArray()));
        return messages;
    }

    /// <summary>Checks that the stream has the numbers from a first one on, each once and in order.</summary>
    public async Task AssertNumbersAsync(long first, long count)
    {
        long expected = first;
        await ReadAsync(body =>
        {
            long number = BinaryPrimitives.ReadInt64BigEndian(body.Span);
            Assert.True(number == expected, $"Expected {expected}, found {number}.");
            expected++;
        });
        Assert.Equal(first + count, expected);
    }

    public async ValueTask DisposeAsync()
    {
        await Client.DisposeAsync();
        StreamLink link = await StreamLink.ConnectAsync(StreamBroker.Options, StreamBroker.Options.Endpoints[0], CancellationToken.None);
        await link.AskAsync<DeleteStream, Nothing>(new DeleteStream { Stream = Name }, CancellationToken.None);
        await link.CloseAsync();
    }

    // Up to a mark that is published behind all that is there: so it is seen when there is too much, too.
    private async Task ReadAsync(Action<ReadOnlyMemory<byte>> take)
    {
        await using var client = new StreamClient(StreamBroker.Options);
        await using (StreamProducer producer = await client.CreateProducerAsync(Name))
        {
            await producer.SendBytesAsync(Mark).AsTask().WaitAsync(Patience.Limit);
        }

        var end = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using StreamConsumer consumer = await client.ConsumeAsync(
            Name,
            message =>
            {
                if (message.Span.SequenceEqual(Mark))
                {
                    end.TrySetResult();
                }
                else
                {
                    take(message.Body);
                }

                return default;
            },
            new StreamConsumerOptions { Offset = StreamOffset.First });
        await (await Task.WhenAny(end.Task, consumer.Completion).WaitAsync(Patience.Limit * 2));
    }
}

using System.Threading.Channels;
using Wire.RabbitMQ.Streams;
using Wire.Testing;
using Wire.Transport;

namespace Wire.Foreign.Tests;

/// <summary>A stream for one test, to which Wire publishes and which it reads from its beginning.</summary>
internal sealed class TestStream : IAsyncDisposable
{
    private readonly Channel<byte[]> _messages = Channel.CreateUnbounded<byte[]>();
    private StreamProducer? _producer;
    private StreamConsumer? _consumer;

    private TestStream()
    {
    }

    public StreamClient Client { get; } = new(new StreamClientOptions
    {
        Endpoints = [new BrokerEndpoint("127.0.0.1", Broker.Node.StreamPort)],
    });

    public string Name { get; } = Broker.UniqueName("foreign");

    /// <summary>What is taken alone, where something is said.</summary>
    public string? Filter { get; set; }

    public static async Task<TestStream> CreateAsync()
    {
        var stream = new TestStream();
        await stream.Client.CreateStreamAsync(stream.Name).InTime();
        return stream;
    }

    /// <summary>Publishes a message.</summary>
    public async Task SendAsync(byte[] message, string? filter = null)
    {
        _producer ??= await Client.CreateProducerAsync(Name).InTime();
        await _producer.SendBytesAsync(message, new StreamSendOptions { Filter = filter }).AsTask().InTime();
    }

    /// <summary>Takes the next message, as it is when it is written again.</summary>
    public async Task<byte[]> TakeAsync()
    {
        _consumer ??= await Client.ConsumeAsync(
            Name,
            message =>
            {
                Assert.True(_messages.Writer.TryWrite(NativeMessages.Rewritten(message.Sections)));
                return default;
            },
            new StreamConsumerOptions { Offset = StreamOffset.First, Filters = Filter is null ? [] : [Filter] }).InTime();
        Task<byte[]> next = _messages.Reader.ReadAsync().AsTask();
        await await Task.WhenAny(next, _consumer.Completion).InTime();
        return await next.InTime();
    }

    public async ValueTask DisposeAsync()
    {
        await Client.DeleteStreamAsync(Name).InTime();
        await Client.DisposeAsync().AsTask().InTime();
    }
}

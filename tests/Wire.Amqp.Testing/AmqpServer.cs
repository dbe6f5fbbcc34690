using System.Buffers;
using System.Net.Sockets;
using System.Threading.Channels;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Testing;

/// <summary>
/// A server on loopback that speaks as much AMQP 0-9-1 as clients need to connect, declare, publish and consume, all of it read and written
/// by Wire.Amqp. It routes nothing: what is published is handed to the test, and what the test delivers goes to the consumer. A client that
/// sends any frame of a channel between those of one message fails the test.
/// </summary>
public sealed class AmqpServer : IAsyncDisposable
{
    private readonly LoopbackServer _server;
    private readonly Channel<ReceivedMessage> _published = Channel.CreateUnbounded<ReceivedMessage>();
    private readonly TaskCompletionSource<ServerConnection> _consumer = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly SemaphoreSlim _reads = new(1);
    private readonly TaskCompletionSource _cut = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _discarded;
    private int _methods;

    /// <summary>Begins to listen.</summary>
    /// <param name="frameMax">The largest frame that is agreed on with the clients.</param>
    /// <param name="discards">Whether messages are read, confirmed and forgotten, as fast as that goes: for measuring the clients.</param>
    /// <param name="secrets">Who may connect, and for how long; anyone for ever when left out.</param>
    public AmqpServer(int frameMax = 128 * 1024, bool discards = false, ServerSecrets? secrets = null)
    {
        FrameMax = frameMax;
        Discards = discards;
        Secrets = secrets;
        _server = new LoopbackServer(ServeAsync);
    }

    /// <summary>Where clients connect to, on 127.0.0.1.</summary>
    public int Port => _server.Port;

    /// <summary>The largest frame that is agreed on with the clients.</summary>
    public int FrameMax { get; }

    /// <summary>How many messages have been forgotten.</summary>
    public long Discarded => Volatile.Read(ref _discarded);

    /// <summary>How many methods came on channels that are no messages, since these were opened.</summary>
    public int Methods => Volatile.Read(ref _methods);

    /// <summary>Whether no message has come that has not been taken.</summary>
    public bool IsEmpty => !_published.Reader.TryPeek(out _);

    internal bool Discards { get; }

    internal ServerSecrets? Secrets { get; }

    /// <summary>The next message that was published on any connection, in the order in which they ended.</summary>
    public Task<ReceivedMessage> NextAsync() => _published.Reader.ReadAsync().AsTask().InTime();

    /// <summary>Reads no more, from what comes next on.</summary>
    public Task StopReadingAsync() => _reads.WaitAsync().InTime();

    /// <summary>Reads again.</summary>
    public void GoOn() => _reads.Release();

    /// <summary>Ends all connections without a word.</summary>
    public void Cut() => _cut.TrySetResult();

    /// <summary>Sends a message to the first consumer, as soon as there is one, on its channel and with its tag.</summary>
    public Task DeliverAsync(BasicDeliver method, BasicProperties properties, ReadOnlyMemory<byte> body) =>
        SendAsync((output, channel, tag) =>
        {
            method.ConsumerTag = tag;
            FrameWriter.Write(output, channel, in method);
            FrameWriter.WriteContentHeader(output, channel, (ulong)body.Length, in properties);
            FrameWriter.WriteBody(output, channel, body.Span, FrameMax);
        });

    /// <summary>Sends anything to the connection of the first consumer.</summary>
    public async Task SendAsync(Action<IBufferWriter<byte>, ushort, string> write) =>
        await (await _consumer.Task.InTime()).SendToConsumerAsync(write);

    /// <summary>Waits for the clients to close their connections; what went wrong on one of them is thrown here.</summary>
    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        _reads.Dispose();
    }

    internal void Take(ReceivedMessage? message)
    {
        if (message is null)
        {
            Interlocked.Increment(ref _discarded);
        }
        else
        {
            _published.Writer.TryWrite(message);
        }
    }

    internal void TakeConsumer(ServerConnection connection) => _consumer.TrySetResult(connection);

    internal void CountMethod() => Interlocked.Increment(ref _methods);

    /// <summary>Ends when the test lets the server read.</summary>
    internal async Task MayReadAsync()
    {
        await _reads.WaitAsync();
        _reads.Release();
    }

    private async Task ServeAsync(LoopbackConnection client)
    {
        using var connection = new ServerConnection(this, client.Stream);
        Task serving = connection.RunAsync();
        if (await Task.WhenAny(serving, _cut.Task) != serving)
        {
            client.Stream.Close();
        }

        try
        {
            await serving;
        }
        catch (Exception e) when (e is ObjectDisposedException
            or IOException { InnerException: SocketException or ObjectDisposedException })
        {
            // Cut, or a client that complains, which may reset the connection.
        }
        catch (Exception e)
        {
            _published.Writer.TryComplete(e);
            throw;
        }
    }
}

/// <summary>A message that a client has published; nothing in it is a view of what may change.</summary>
public sealed class ReceivedMessage(ContentReader content)
{
    public ushort Channel => content.Method.Channel;

    public BasicPublish Method => content.Method.ReadMethod<BasicPublish>();

    public BasicProperties Properties => content.Header.ReadContentHeader().Properties;

    public byte[] Body { get; } = content.Body.ToArray();
}

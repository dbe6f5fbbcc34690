using System.Buffers;
using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Threading.Channels;
using Wire.Amqp.V091;

namespace Wire.Amqp.Tests.Interop;

/// <summary>
/// A listener on loopback that speaks as much AMQP 0-9-1 as RabbitMQ.Client needs to connect, declare, publish and consume, all of it read
/// and written by Wire.Amqp. It routes nothing: what is published is handed to the test, and what the test delivers goes to the consumer.
/// </summary>
internal sealed class FakeBroker : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly Channel<Published> _published = Channel.CreateUnbounded<Published>();
    private readonly TaskCompletionSource<FakeConnection> _consumer = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ConcurrentBag<Task> _connections = [];
    private readonly Task _accepting;
    private long _discarded;

    /// <summary>Begins to listen.</summary>
    /// <param name="frameMax">The largest frame that is agreed on with the clients.</param>
    /// <param name="discards">Whether messages are read, confirmed and forgotten, as fast as that goes: for measuring the clients.</param>
    public FakeBroker(int frameMax = 128 * 1024, bool discards = false)
    {
        FrameMax = frameMax;
        Discards = discards;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    /// <summary>Where clients connect to, on 127.0.0.1, as any user.</summary>
    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>How many messages have been forgotten.</summary>
    public long Discarded => Volatile.Read(ref _discarded);

    internal int FrameMax { get; }

    internal bool Discards { get; }

    /// <summary>The next message that was published on any connection, in its order.</summary>
    public async Task<Published> NextAsync() => await _published.Reader.ReadAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(10));

    /// <summary>Sends a message to the first consumer, as soon as there is one, on its channel and with its tag.</summary>
    public Task DeliverAsync(BasicDeliver method, BasicProperties properties, ReadOnlyMemory<byte> body) => SendAsync((output, channel, tag) =>
    {
        method.ConsumerTag = tag;
        FrameWriter.Write(output, channel, in method);
        FrameWriter.WriteContentHeader(output, channel, (ulong)body.Length, in properties);
        FrameWriter.WriteBody(output, channel, body.Span, FrameMax);
    });

    /// <summary>Sends anything to the connection of the first consumer.</summary>
    public async Task SendAsync(Action<IBufferWriter<byte>, ushort, string> write) =>
        await (await _consumer.Task.WaitAsync(TimeSpan.FromSeconds(10))).SendToConsumerAsync(write);

    /// <summary>Waits for the clients to close their connections; what went wrong on one of them is thrown here.</summary>
    public async ValueTask DisposeAsync()
    {
        _listener.Stop();
        await _accepting;
        await Task.WhenAll(_connections);
    }

    internal void Take(Published? message)
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

    internal void TakeConsumer(FakeConnection connection) => _consumer.TrySetResult(connection);

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                _connections.Add(ServeAsync(await _listener.AcceptTcpClientAsync()));
            }
        }
        catch (SocketException e) when (e.SocketErrorCode is SocketError.OperationAborted or SocketError.Interrupted)
        {
            // Stopped.
        }
    }

    private async Task ServeAsync(TcpClient client)
    {
        using (client)
        {
            client.NoDelay = true;
            using var connection = new FakeConnection(this, client.GetStream());
            try
            {
                await connection.RunAsync();
            }
            catch (IOException e) when (e.InnerException is SocketException)
            {
                // A client that complains may reset the connection.
            }
        }
    }
}

/// <summary>A message that a client has published; nothing in it is a view of what may change.</summary>
internal sealed class Published(ContentReader content)
{
    public BasicPublish Method => content.Method.ReadMethod<BasicPublish>();

    public BasicProperties Properties => content.Header.ReadContentHeader().Properties;

    public byte[] Body => content.Body.ToArray();
}

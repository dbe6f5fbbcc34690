using System.Buffers;
using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Connections;
using Wire.Transport;
using Wire.Transport.Segments;
using Wire.Transport.Sockets;

namespace Wire.Amqp.Tests.Transport;

public sealed class LinkSocketTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    public static TheoryData<bool, bool> Ways => new() { { false, false }, { false, true }, { true, false }, { true, true } };

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Sequences_arrive_as_they_are_however_they_are_cut(bool tls, bool blocking)
    {
        // Small segments and large ones, more than the socket's buffers hold, and some that are no arrays.
        int[] sizes = [1, 7, 0, 100, 16_384, 3, 9, 20_000, 4_000_000, 8, 65_536, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 30_000, 5];
        ReadOnlySequence<byte> sent = Cut(sizes);
        using var certificates = new Certificates();
        byte[] arrived = new byte[sent.Length];
        await using var server = new Loopback(async stream => await stream.ReadExactlyAsync(arrived), tls ? certificates.Serving() : null);
        using LinkSocket socket = await server.ConnectAsync(new AmqpConnectionOptions { Tls = tls ? certificates.Trusting() : null });
        Assert.Equal(tls, socket.IsTls);
        if (blocking)
        {
            await Task.Run(() => socket.Send(sent)).WaitAsync(Patience);
        }
        else
        {
            await socket.SendAsync(sent).AsTask().WaitAsync(Patience);
        }

        await server.ServedAsync();
        Assert.Equal(sent.ToArray(), arrived);
    }

    [Fact]
    public void Any_cut_arrives_as_it_is()
    {
        using Pair pair = new();
        Prop.ForAll<byte[]>(sizes =>
        {
            ReadOnlySequence<byte> sent = Cut([.. sizes.Select(size => (int)size)]);
            pair.Client.Send(sent);
            pair.Drain(sent);
            Pair.Wait(pair.Client.SendAsync(sent));
            pair.Drain(sent);
        }).QuickCheckThrowOnFailure();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_other_sides_end_is_0(bool tls)
    {
        using var certificates = new Certificates();
        await using var server = new Loopback(_ => Task.CompletedTask, tls ? certificates.Serving() : null);
        using LinkSocket socket = await server.ConnectAsync(new AmqpConnectionOptions { Tls = tls ? certificates.Trusting() : null });
        Assert.Equal(0, await socket.ReceiveAsync(new byte[1]).AsTask().WaitAsync(Patience));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Abort_ends_what_is_under_way(bool tls, bool blocking)
    {
        using var certificates = new Certificates();
        var aborted = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var server = new Loopback(_ => aborted.Task, tls ? certificates.Serving() : null);
        using LinkSocket socket = await server.ConnectAsync(new AmqpConnectionOptions { Tls = tls ? certificates.Trusting() : null });
        Task receiving = socket.ReceiveAsync(new byte[1]).AsTask();

        // Nobody reads: it fills the buffers, and waits.
        ReadOnlySequence<byte> much = new(new byte[100_000_000]);
        Task sending = blocking ? Task.Run(() => socket.Send(much)) : socket.SendAsync(much).AsTask();
        Assert.False(receiving.IsCompleted);
        await Task.Run(socket.Abort).WaitAsync(Patience);
        socket.Abort();
        await Assert.ThrowsAnyAsync<IOException>(() => receiving.WaitAsync(Patience));
        await Assert.ThrowsAnyAsync<IOException>(() => sending.WaitAsync(Patience));
        IOException error = await Assert.ThrowsAnyAsync<IOException>(() => socket.SendAsync(new ReadOnlySequence<byte>(new byte[1])).AsTask());
        Assert.Contains(server.Endpoint.ToString(), error.Message, StringComparison.Ordinal);
        aborted.SetResult();
    }

    [Fact]
    public async Task Nobody_who_listens_is_told_of_with_host_and_port()
    {
        using var reserved = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        reserved.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        var endpoint = new BrokerEndpoint("localhost", ((IPEndPoint)reserved.LocalEndPoint!).Port);
        AmqpConnectionException error = await Assert.ThrowsAsync<AmqpConnectionException>(() => Link.ConnectAsync(new AmqpConnectionOptions(), endpoint, default));
        Assert.Contains($"No connection to {endpoint}", error.Message, StringComparison.Ordinal);
        Assert.Contains("look whether the broker runs", error.Message, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public async Task A_name_that_nobody_has_is_told_of()
    {
        AmqpConnectionException error = await Assert.ThrowsAsync<AmqpConnectionException>(() => Link.ConnectAsync(new AmqpConnectionOptions(), new BrokerEndpoint("broker.invalid", 5672), default));
        Assert.Contains("No connection to broker.invalid:5672", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_token_that_has_fired_is_told_of_as_the_time()
    {
        await using var server = new Loopback(_ => Task.CompletedTask);
        AmqpConnectionException error = await Assert.ThrowsAsync<AmqpConnectionException>(() => Link.ConnectAsync(new AmqpConnectionOptions(), server.Endpoint, new CancellationToken(canceled: true)));
        Assert.IsAssignableFrom<OperationCanceledException>(error.InnerException);
        using LinkSocket socket = await server.ConnectAsync();
        await server.ServedAsync();
    }

    [Fact]
    public async Task A_certificate_of_nobody_who_is_trusted_is_refused()
    {
        using var certificates = new Certificates();
        using var others = new Certificates();
        await using var server = new Loopback(Loopback.DrainAsync, certificates.Serving());
        AmqpConnectionException error = await Assert.ThrowsAsync<AmqpConnectionException>(() => Link.ConnectAsync(new AmqpConnectionOptions { Tls = others.Trusting() }, server.Endpoint, default));
        Assert.IsType<AuthenticationException>(error.InnerException);
        Assert.Contains("TLS failed", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_certificate_for_another_name_is_refused()
    {
        using var certificates = new Certificates();
        var options = certificates.Trusting();
        options.TargetHost = "elsewhere";
        await using var server = new Loopback(Loopback.DrainAsync, certificates.Serving());
        AmqpConnectionException error = await Assert.ThrowsAsync<AmqpConnectionException>(() => Link.ConnectAsync(new AmqpConnectionOptions { Tls = options }, server.Endpoint, default));
        Assert.Contains("NameMismatch", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Tls_to_a_port_without_it_is_told_of()
    {
        await using var server = new Loopback(async stream =>
        {
            await stream.ReadExactlyAsync(new byte[8]);
            await stream.WriteAsync("AMQP\0\0\x9\x1"u8.ToArray());
        });
        AmqpConnectionException error = await Assert.ThrowsAsync<AmqpConnectionException>(() => Link.ConnectAsync(new AmqpConnectionOptions { Tls = new() }, server.Endpoint, default));
        Assert.Contains("TLS", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_client_shows_its_certificate_where_it_is_asked()
    {
        using var certificates = new Certificates();
        await using var server = new Loopback(async stream => await stream.WriteAsync(new byte[1]), certificates.Serving(asksForCertificate: true));
        using LinkSocket socket = await server.ConnectAsync(new AmqpConnectionOptions { Tls = certificates.Trusting(withCertificate: true) });
        Assert.Equal(1, await socket.ReceiveAsync(new byte[1]).AsTask().WaitAsync(Patience));
    }

    [Fact]
    public async Task A_client_without_a_certificate_is_told_what_may_be_missing()
    {
        using var certificates = new Certificates();
        var options = new AmqpConnectionOptions { Tls = certificates.Trusting() };
        await using var server = new Loopback(Loopback.DrainAsync, certificates.Serving(asksForCertificate: true));
        AmqpConnectionException error = await Assert.ThrowsAsync<AmqpConnectionException>(async () =>
        {
            // With TLS 1.3 the refusal comes when the client takes itself for connected.
            using LinkSocket socket = await server.ConnectAsync(options);
            using var received = new ReceiveBuffer();
            await Handshake.RunAsync(socket, received, options, server.Over);
        });
        Assert.Contains("certificate", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Sending_and_receiving_allocate_nothing()
    {
        using Pair pair = new();
        byte[] buffer = new byte[1000];
        ReadOnlySequence<byte> one = Cut([100]), several = Cut([100, 7, 200]), much = Cut([3_000_000, 1, 3_000_000]);
        Allocations.AssertNone(() =>
        {
            Pair.Wait(pair.Client.SendAsync(one));
            pair.Drain(one);
            Pair.Wait(pair.Client.SendAsync(several));
            pair.Drain(several);
            pair.Client.Send(several);
            pair.Drain(several);

            pair.Server.Send(buffer, SocketFlags.None);
            for (int received = 0; received < buffer.Length;)
            {
                received += pair.Client.Receive(buffer);
            }

            // More than the buffers of the system hold.
            ValueTask sending = pair.Client.SendAsync(much);
            pair.Drain(much);
            Pair.Wait(sending);
        });
    }

    private static ReadOnlySequence<byte> Cut(IReadOnlyList<int> sizes)
    {
        byte[] bytes = new byte[sizes.Sum()];
        new Random(1).NextBytes(bytes);
        MemorySegment first = new(), last = first;
        first.Append(default, null);
        int at = 0;
        foreach (int size in sizes)
        {
            MemorySegment next = new();
            next.Append(bytes.AsMemory(at, size), last);
            (last, at) = (next, at + size);
        }

        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    /// <summary>Both ends of a connection in the hands of one thread, so that what is allocated can be counted on it.</summary>
    private sealed class Pair : IDisposable
    {
        private readonly byte[] _buffer = new byte[1 << 16];

        public Pair()
        {
            using var listener = new TcpListener(IPAddress.Loopback, 0);
            listener.Start();
            var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            socket.Connect((IPEndPoint)listener.LocalEndpoint);
            Server = listener.AcceptSocket();
            Client = new LinkSocket(socket, tls: null, new BrokerEndpoint("127.0.0.1", 5672));
        }

        public LinkSocket Client { get; }

        public Socket Server { get; }

        public static void Wait(ValueTask task)
        {
            Wait(task.GetAwaiter(), static awaiter => awaiter.IsCompleted);
            task.GetAwaiter().GetResult();
        }

        /// <summary>Receives what was sent, and compares.</summary>
        public void Drain(in ReadOnlySequence<byte> sent)
        {
            for (ReadOnlySequence<byte> left = sent; !left.IsEmpty;)
            {
                int count = Server.Receive(_buffer.AsSpan(0, (int)Math.Min(_buffer.Length, left.Length)), SocketFlags.None);
                Assert.True(count != 0);
                int at = 0;
                foreach (ReadOnlyMemory<byte> part in left.Slice(0, count))
                {
                    Assert.True(part.Span.SequenceEqual(_buffer.AsSpan(at, part.Length)));
                    at += part.Length;
                }

                left = left.Slice(count);
            }
        }

        public void Dispose()
        {
            Client.Dispose();
            Server.Dispose();
        }

        private static void Wait<TAwaiter>(TAwaiter awaiter, Func<TAwaiter, bool> isCompleted)
        {
            long begin = Environment.TickCount64;
            while (!isCompleted(awaiter))
            {
                Assert.True(Environment.TickCount64 - begin < Patience.TotalMilliseconds);
                Thread.Yield();
            }
        }
    }
}

using System.Buffers;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Wire.Testing;
using Wire.Transport.Addresses;
using Wire.Transport.Segments;
using Wire.Transport.Sockets;

namespace Wire.Transport.Tests;

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
        await using var server =
            new LoopbackServer(async client => await client.Stream.ReadExactlyAsync(arrived), tls ? certificates.Serving() : null);
        using LinkSocket socket = await ConnectAsync(server, tls ? certificates.Trusting() : null);
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
        await using var server = new LoopbackServer(_ => Task.CompletedTask, tls ? certificates.Serving() : null);
        using LinkSocket socket = await ConnectAsync(server, tls ? certificates.Trusting() : null);
        Assert.Equal(0, await socket.ReceiveAsync(new byte[1]).AsTask().WaitAsync(Patience));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Abort_ends_what_is_under_way(bool tls, bool blocking)
    {
        using var certificates = new Certificates();
        var aborted = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var server = new LoopbackServer(_ => aborted.Task, tls ? certificates.Serving() : null);
        using LinkSocket socket = await ConnectAsync(server, tls ? certificates.Trusting() : null);
        Task receiving = socket.ReceiveAsync(new byte[1]).AsTask();

        // Nobody reads: it fills the buffers, and waits.
        ReadOnlySequence<byte> much = new(new byte[100_000_000]);
        Task sending = blocking ? Task.Run(() => socket.Send(much)) : socket.SendAsync(much).AsTask();
        Assert.False(receiving.IsCompleted);
        await Task.Run(socket.Abort).WaitAsync(Patience);
        socket.Abort();
        await Assert.ThrowsAnyAsync<IOException>(() => receiving.WaitAsync(Patience));
        await Assert.ThrowsAnyAsync<IOException>(() => sending.WaitAsync(Patience));
        IOException error =
            await Assert.ThrowsAnyAsync<IOException>(() => socket.SendAsync(new ReadOnlySequence<byte>(new byte[1])).AsTask());
        Assert.Contains(EndpointOf(server).ToString(), error.Message, StringComparison.Ordinal);
        aborted.SetResult();
    }

    [Theory]
    [InlineData("AMQP\0\0\t\u0001")]
    [InlineData("H")]
    public async Task A_port_without_tls_is_called_so(string answer)
    {
        using var certificates = new Certificates();
        await using var server = new LoopbackServer(async client =>
        {
            await client.Stream.ReadExactlyAsync(new byte[1]);
            await client.Stream.WriteAsync(Encoding.ASCII.GetBytes(answer));
        });
        ConnectException error = await Assert.ThrowsAsync<ConnectException>(() => ConnectAsync(server, certificates.Trusting()));
        Assert.Contains("answered without TLS", error.Message, StringComparison.Ordinal);
        Assert.Contains("usually 5671", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("certificate", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_certificate_that_is_not_trusted_is_still_called_so()
    {
        using var certificates = new Certificates();
        await using var server = new LoopbackServer(_ => Task.CompletedTask, certificates.Serving());
        ConnectException error =
            await Assert.ThrowsAsync<ConnectException>(() => ConnectAsync(server, new SslClientAuthenticationOptions()));
        Assert.Contains("certificate", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_client_shows_its_certificate_where_it_is_asked()
    {
        using var certificates = new Certificates();
        await using var server =
            new LoopbackServer(async client => await client.Stream.WriteAsync(new byte[1]), certificates.Serving(asksForCertificate: true));
        using LinkSocket socket = await ConnectAsync(server, certificates.Trusting(withCertificate: true));
        Assert.Equal(1, await socket.ReceiveAsync(new byte[1]).AsTask().WaitAsync(Patience));
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

    private static BrokerEndpoint EndpointOf(LoopbackServer server) => new("127.0.0.1", server.Port);

    private static Task<LinkSocket> ConnectAsync(LoopbackServer server, SslClientAuthenticationOptions? tls)
    {
        var options = new BrokerOptions { Endpoints = [EndpointOf(server)], UsualTlsPort = 5671, Tls = tls };
        return LinkConnector.ConnectAsync(options, options.Endpoints[0], server.Over);
    }

    private static ReadOnlySequence<byte> Cut(IReadOnlyList<int> sizes)
    {
        byte[] bytes = new byte[sizes.Sum()];
        new Random(1).NextBytes(bytes);
        List<ReadOnlyMemory<byte>> parts = [default];
        int at = 0;
        foreach (int size in sizes)
        {
            parts.Add(bytes.AsMemory(at, size));
            at += size;
        }

        return Sequences.Join(parts);
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

using System.Text;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Transport;
using Wire.Transport.Segments;
using Wire.Transport.Sockets;

namespace Wire.Amqp.Client.Tests.Connections;

[Collection(nameof(RunAlone))]
public sealed class HandshakeTests
{
    private static readonly ConnectionStart Start = new()
    {
        VersionMinor = 9,
        Mechanisms = "AMQPLAIN PLAIN EXTERNAL",
        Locales = "en_US",
        ServerProperties = FieldTable.Create(new Dictionary<string, object?> { ["product"] = "scripted" }),
    };

    [Fact]
    public async Task The_client_says_who_it_is_and_asks_for_the_virtual_host()
    {
        ConnectionStartOk startOk = default;
        ConnectionTuneOk tuneOk = default;
        ConnectionOpen open = default;
        Agreement agreement = await RunAsync(
            new AmqpConnectionOptions
            {
                UserName = "user",
                Password = "pässword",
                VirtualHost = "v",
                ConnectionName = "tests",
                ClientProperties = new Dictionary<string, object?> { ["product"] = "mine", ["answer"] = 42 },
            },
            async peer =>
            {
                startOk = await BeginAsync(peer);
                await peer.SendAsync(0, new ConnectionTune { ChannelMax = 100, FrameMax = 50_000, Heartbeat = 10 });
                tuneOk = await peer.ReadAsync<ConnectionTuneOk>();
                open = await peer.ReadAsync<ConnectionOpen>();
                await peer.SendAsync(0, default(ConnectionOpenOk));
            });

        Assert.Equal("PLAIN", startOk.Mechanism.ToString());
        Assert.Equal("\0user\0pässword", startOk.Response.ToString());
        Dictionary<string, object?> properties = startOk.ClientProperties.ToDictionary();
        Assert.Equal("mine", properties["product"]!.ToString());
        Assert.Equal("tests", properties["connection_name"]!.ToString());
        Assert.Equal(42, properties["answer"]);
        var capabilities = Assert.IsAssignableFrom<IReadOnlyDictionary<string, object?>>(properties["capabilities"]);
        Assert.All(
            ["publisher_confirms", "basic.nack", "consumer_cancel_notify", "authentication_failure_close", "connection.blocked"],
            each => Assert.Equal(true, capabilities[each]));
        Assert.Equal((100, 50_000u, 10), (tuneOk.ChannelMax, tuneOk.FrameMax, tuneOk.Heartbeat));
        Assert.Equal("v", open.VirtualHost.ToString());
        Assert.Equal((50_000, 100, TimeSpan.FromSeconds(10)), (agreement.FrameMax, agreement.ChannelMax, agreement.Heartbeat));
        Assert.Equal("scripted", agreement.ServerProperties["product"]!.ToString());
    }

    [Theory]
    [InlineData(0, 0, 0, 2047, 131_072, 60)]
    [InlineData(65_535, 1 << 30, 600, 2047, 131_072, 60)]
    [InlineData(1, 4096, 1, 1, 4096, 1)]
    public async Task Limits_are_the_smaller_ones_and_0_is_none(
        int channelMax, uint frameMax, int heartbeat, int channels, int frame, int seconds)
    {
        Agreement agreement = await RunAsync(new AmqpConnectionOptions(), peer =>
            ServeAsync(peer, new ConnectionTune { ChannelMax = (ushort)channelMax, FrameMax = frameMax, Heartbeat = (ushort)heartbeat }));
        Assert.Equal((frame, channels, TimeSpan.FromSeconds(seconds)), (agreement.FrameMax, agreement.ChannelMax, agreement.Heartbeat));
    }

    [Fact]
    public async Task Heartbeats_before_the_connection_is_open_are_not_kept()
    {
        const int Size = 8 << 20;
        long before = 0;
        long after = 0;
        await RunAsync(new AmqpConnectionOptions(), async peer =>
        {
            await BeginAsync(peer);
            byte[] heartbeats = [.. Enumerable.Repeat<byte[]>([8, 0, 0, 0, 0, 0, 0, 0xCE], 4096).SelectMany(frame => frame)];
            before = GC.GetTotalMemory(forceFullCollection: true);
            for (int i = 0; i < Size; i += heartbeats.Length)
            {
                await peer.Stream.WriteAsync(heartbeats);
            }

            after = GC.GetTotalMemory(forceFullCollection: true);
            await peer.SendAsync(0, default(ConnectionTune));
            await peer.ReadAsync<ConnectionTuneOk>();
            await peer.ReadAsync<ConnectionOpen>();
            await peer.SendAsync(0, default(ConnectionOpenOk));
        });
        Assert.InRange(after - before, long.MinValue, Size / 4);
    }

    [Fact]
    public async Task Without_a_wish_on_either_side_there_are_no_heartbeats()
    {
        Agreement agreement =
            await RunAsync(new AmqpConnectionOptions { RequestedHeartbeat = TimeSpan.Zero }, peer => ServeAsync(peer, default));
        Assert.Equal(TimeSpan.Zero, agreement.Heartbeat);
    }

    [Fact]
    public async Task The_broker_of_the_other_tests_is_connected_to()
    {
        await using var broker = new AmqpServer(frameMax: 8192);
        using var over = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        using LinkSocket socket =
            await LinkConnector.ConnectAsync(new AmqpConnectionOptions().Broker, new BrokerEndpoint("localhost", broker.Port), over.Token);
        using var received = new ReceiveBuffer();
        Assert.Equal(8192, (await Handshake.RunAsync(socket, received, new AmqpConnectionOptions(), over.Token)).FrameMax);
    }

    [Fact]
    public async Task What_comes_behind_the_handshake_is_left_in_the_buffer()
    {
        await using var server = AmqpServers.Scripted(async (peer, _) =>
        {
            await ServeAsync(peer, default);
            await peer.SendAsync(0, new ConnectionBlocked { Reason = "low on memory" });
        });
        using LinkSocket socket = await LinkConnector.ConnectAsync(new AmqpConnectionOptions().Broker, server.Endpoint(), server.Over);
        using var received = new ReceiveBuffer();
        await Handshake.RunAsync(socket, received, new AmqpConnectionOptions(), server.Over);
        for (int count = -1; count != 0; received.Advance(count))
        {
            count = await socket.ReceiveAsync(received.GetMemory());
        }

        var frames = new FrameReader(received.Unread, 0);
        Assert.True(frames.TryRead(out Frame frame));
        Assert.Equal("low on memory", frame.ReadMethod<ConnectionBlocked>().Reason.ToString());
        Assert.Equal(frames.Consumed, received.Unread.Length);
    }

    [Fact]
    public async Task A_wrong_password_is_told_with_the_brokers_words_and_answered()
    {
        bool answered = false;
        AmqpConnectionException error = await FailAsync(async peer =>
        {
            await BeginAsync(peer);
            await peer.SendAsync(0, new ConnectionClose { ReplyCode = 403, ReplyText = "ACCESS_REFUSED", ClassId = 10, MethodId = 11 });
            await peer.ReadAsync<ConnectionCloseOk>();
            answered = true;
        });
        Assert.Equal(new AmqpCloseReason(403, "ACCESS_REFUSED", MethodId.ConnectionStartOk), error.Reason);
        Assert.Contains("403 ACCESS_REFUSED", error.Message, StringComparison.Ordinal);
        Assert.Contains("user 'guest'", error.Message, StringComparison.Ordinal);
        Assert.True(answered);
    }

    [Fact]
    public async Task A_virtual_host_that_is_not_there_is_named() => Assert.Contains("virtual host '/'", (await FailAsync(async peer =>
    {
        await BeginAsync(peer);
        await peer.SendAsync(0, default(ConnectionTune));
        await peer.ReadAsync<ConnectionTuneOk>();
        await peer.ReadAsync<ConnectionOpen>();
        await peer.SendAsync(0, new ConnectionClose { ReplyCode = 530, ReplyText = "NOT_ALLOWED" });
        await peer.ReadAsync<ConnectionCloseOk>();
    })).Message, StringComparison.Ordinal);

    [Fact]
    public async Task A_server_without_the_mechanism_is_told_of_with_those_it_has()
    {
        ConnectionStart start = Start;
        start.Mechanisms = "SCRAM PLAINER";
        string message = (await FailAsync(peer => peer.OfferAsync(start))).Message;
        Assert.Contains("does not take PLAIN, but SCRAM PLAINER", message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Another_step_of_authentication_is_refused() => Assert.Contains("connection.secure", (await FailAsync(async peer =>
    {
        await BeginAsync(peer);
        await peer.SendAsync(0, new ConnectionSecure { Challenge = "?" });
    })).Message, StringComparison.Ordinal);

    [Fact]
    public async Task Frames_smaller_than_the_protocol_has_are_refused() => Assert.Contains("frame_max", (await FailAsync(async peer =>
    {
        await BeginAsync(peer);
        await peer.SendAsync(0, new ConnectionTune { FrameMax = 4095 });
    })).Message, StringComparison.Ordinal);

    [Fact]
    public async Task A_method_that_is_not_due_is_named() =>
        Assert.Contains("ConnectionOpenOk where ConnectionTune was expected", (await FailAsync(async peer =>
    {
        await BeginAsync(peer);
        await peer.SendAsync(0, default(ConnectionOpenOk));
    })).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("AMQP\0\x1\0\0", "header of 1-0-0")]
    [InlineData("AMQP\x3\x1\0\0", "protocol 3")]
    [InlineData("HTTP/1.1 400 Bad Request\r\n\r\n", "not AMQP 0-9-1")]
    [InlineData("\x15\x3\x3\0\x2\x2\x28", "use amqps")]
    [InlineData("", "TLS (amqps)")]
    [InlineData("AMQ", "closed the connection before it said anything")]
    public async Task What_is_no_broker_is_told_of(string answer, string expected)
    {
        string message = (await FailAsync(async peer =>
        {
            await peer.Stream.ReadExactlyAsync(new byte[ProtocolHeader.Size]);
            await peer.Stream.WriteAsync(Encoding.Latin1.GetBytes(answer));
        })).Message;
        Assert.Contains(expected, message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_that_closes_without_a_word_is_told_of_with_what_to_look_at() =>
        Assert.Contains("check that the user 'guest' exists", (await FailAsync(BeginAsync)).Message, StringComparison.Ordinal);

    [Fact]
    public async Task A_server_that_says_nothing_is_given_up()
    {
        using var impatience = new CancellationTokenSource();
        AmqpConnectionException error = await FailAsync(
            async peer =>
            {
                await BeginAsync(peer);
                await impatience.CancelAsync();
                await peer.DrainAsync();
            },
            impatience.Token);
        Assert.IsType<OperationCanceledException>(error.InnerException);
        Assert.Contains("did not send ConnectionTune in time", error.Message, StringComparison.Ordinal);
    }

    private static async Task<Agreement> RunAsync(
        AmqpConnectionOptions options, Func<AmqpPeer, Task> serve, CancellationToken cancellationToken = default)
    {
        await using var server = AmqpServers.Scripted((peer, _) => serve(peer));
        using LinkSocket socket = await LinkConnector.ConnectAsync(options.Broker, server.Endpoint(), server.Over);
        using var received = new ReceiveBuffer();
        using var either = CancellationTokenSource.CreateLinkedTokenSource(server.Over, cancellationToken);
        return await Handshake.RunAsync(socket, received, options, either.Token);
    }

    private static Task<AmqpConnectionException> FailAsync(Func<AmqpPeer, Task> serve, CancellationToken cancellationToken = default) =>
        Assert.ThrowsAsync<AmqpConnectionException>(() => RunAsync(new AmqpConnectionOptions(), serve, cancellationToken));

    private static Task<ConnectionStartOk> BeginAsync(AmqpPeer peer) => peer.StartAsync(Start);

    private static async Task ServeAsync(AmqpPeer peer, ConnectionTune tune)
    {
        await BeginAsync(peer);
        await peer.SendAsync(0, tune);
        await peer.ReadAsync<ConnectionTuneOk>();
        await peer.ReadAsync<ConnectionOpen>();
        await peer.SendAsync(0, default(ConnectionOpenOk));
    }
}

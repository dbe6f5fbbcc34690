using System.Buffers.Binary;
using System.Text;
using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

internal sealed partial class ServerConnection
{
    private const int RequestHead = StreamFrames.HeadBytes + sizeof(uint);

    private enum Stage
    {
        Unknown,
        Authenticated,
        Tuned,
        Opened,
    }

    private Stage _stage;
    private bool _isHandshaken;
    private ushort _deliverVersion = 1;

    // Whether the connection goes on.
    private bool Handle(CommandKey key, bool isResponse, byte[] frame)
    {
        ushort version = BinaryPrimitives.ReadUInt16BigEndian(frame.AsSpan(sizeof(ushort)));
        Assert.True(
            version == 1 || (version == 2 && key == CommandKey.Publish && server.IsAtLeast(3, 13)), $"{key} came as version {version}.");
        Assert.Equal(isResponse, key is CommandKey.ConsumerUpdate);
        Assert.True(IsKnown(key), $"{server.Version} does not know {key}.");
        ReadOnlySpan<byte> fields = frame.AsSpan(StreamFrames.HeadBytes);
        switch (key)
        {
            case CommandKey.Heartbeat:
                Read<Nothing>(fields);
                return true;
            case CommandKey.Tune:
                HandleTune(Read<Tune>(fields));
                return true;
            case CommandKey.Publish:
                AssertOpened(key);
                HandlePublish(version, fields);
                return true;
            case CommandKey.Credit:
                AssertOpened(key);
                HandleCredit(Read<Credit>(fields));
                return true;
            case CommandKey.StoreOffset:
                AssertOpened(key);
                HandleStore(Read<StoreOffset>(fields));
                return true;
        }

        Assert.True(frame.Length >= RequestHead, $"{key} has no correlation.");
        uint correlation = BinaryPrimitives.ReadUInt32BigEndian(fields);
        fields = frame.AsSpan(RequestHead);
        if (key is not (CommandKey.PeerProperties
            or CommandKey.SaslHandshake
            or CommandKey.SaslAuthenticate
            or CommandKey.Open
            or CommandKey.Close))
        {
            AssertOpened(key);
            lock (server.Gate)
            {
                HandleRequest(key, correlation, fields);
            }

            return true;
        }

        return HandleHandshake(key, correlation, fields);
    }

    private bool HandleHandshake(CommandKey key, uint correlation, ReadOnlySpan<byte> fields)
    {
        switch (key)
        {
            case CommandKey.PeerProperties:
                ClientProperties = Groups.Dictionary(Read<PeerProperties>(fields).Properties);
                var about = new Dictionary<string, string> { ["product"] = "RabbitMQ", ["version"] = server.Version };
                Answer(key, correlation, StreamResponseCode.Ok, new ListOf<Pair> { Items = Groups.Pairs(about) });
                return true;
            case CommandKey.SaslHandshake:
                Read<SaslHandshake>(fields);
                _isHandshaken = true;
                Answer(key, correlation, StreamResponseCode.Ok, new ListOf<Item> { Items = Groups.Items(server.Mechanisms) });
                return true;
            case CommandKey.SaslAuthenticate:
                Assert.True(_isHandshaken && _stage == Stage.Unknown, "It authenticates without having asked how, or again.");
                SaslAuthenticate authenticate = Read<SaslAuthenticate>(fields);
                Assert.Contains(authenticate.Mechanism!, server.Mechanisms);
                bool isRight = authenticate.Mechanism == "EXTERNAL" || Encoding.UTF8.GetString(authenticate.Data!) == "\0guest\0guest";
                Answer(key, correlation, isRight ? StreamResponseCode.Ok : StreamResponseCode.AuthenticationFailure, default(Nothing));
                if (isRight)
                {
                    _stage = Stage.Authenticated;
                    Send(new Tune { FrameMax = server.FrameMax, Heartbeat = server.Heartbeat });
                }

                return true;
            case CommandKey.Open:
                Assert.Equal(Stage.Tuned, _stage);
                bool isThere = Read<Open>(fields).VirtualHost == "/";
                var where = new Dictionary<string, string>
                {
                    ["advertised_host"] = server.Endpoint.Host,
                    ["advertised_port"] = $"{server.Endpoint.Port}",
                };
                Answer(
                    key,
                    correlation,
                    isThere ? StreamResponseCode.Ok : StreamResponseCode.VirtualHostAccessFailure,
                    new ListOf<Pair> { Items = Groups.Pairs(where) });
                _stage = isThere ? Stage.Opened : _stage;
                return true;
            default:
                Assert.Equal((ushort)StreamResponseCode.Ok, Read<Close>(fields).Code);
                Answer(key, correlation, StreamResponseCode.Ok, default(Nothing));
                return false;
        }
    }

    private void HandleTune(Tune tune)
    {
        Assert.Equal(Stage.Authenticated, _stage);
        Assert.True(
            tune.FrameMax > 0 && (server.FrameMax == 0 || tune.FrameMax <= server.FrameMax),
            $"It agrees to frames of {tune.FrameMax} bytes.");
        Agreed = tune;
        _frameMax = tune.FrameMax;
        _stage = Stage.Tuned;
        if (tune.Heartbeat > 0)
        {
            server.Beat(this, TimeSpan.FromSeconds(tune.Heartbeat));
        }
    }

    private void AssertOpened(CommandKey key) => Assert.True(_stage == Stage.Opened, $"{key} came before the connection was open.");

    private bool IsKnown(CommandKey key) => key switch
    {
        CommandKey.ConsumerUpdate or CommandKey.ExchangeCommandVersions or CommandKey.StreamStats => server.IsAtLeast(3, 11),
        CommandKey.CreateSuperStream or CommandKey.DeleteSuperStream => server.IsAtLeast(3, 13),
        CommandKey.PublishConfirm or CommandKey.PublishError or CommandKey.Deliver or CommandKey.MetadataUpdate => false,
        _ => true,
    };
}

using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Links;

/// <summary>One connection to the real broker.</summary>
public sealed class StreamLinkTests
{
    [Fact]
    public async Task Says_where_a_stream_is()
    {
        StreamLink link = await StreamLink.ConnectAsync(StreamBroker.Options, StreamBroker.Options.Endpoints[0], CancellationToken.None);
        string stream = Broker.UniqueName();
        await link.AskAsync<CreateStream, Nothing>(new CreateStream { Stream = stream }, CancellationToken.None);

        (StreamResponseCode code, ClusterMetadata metadata) =
            await link.AskAsync<MetadataQuery, ClusterMetadata>(
                new MetadataQuery { Streams = Groups.Items([stream, Broker.UniqueName()]) }, CancellationToken.None);
        Assert.Equal(StreamResponseCode.Ok, code);
        MetadataNode node = Assert.Single(metadata.Nodes!);
        Assert.Equal(StreamBroker.Options.Endpoints[0].Port, (int)node.Port);
        StreamMembers found = Assert.Single(metadata.Streams!, members => members.Stream == stream);
        Assert.Equal(node.Reference, found.Leader);
        Assert.Contains(metadata.Streams!, members => members.Code == (ushort)StreamResponseCode.StreamDoesNotExist);

        await link.AskAsync<DeleteStream, Nothing>(new DeleteStream { Stream = stream }, CancellationToken.None);
        await link.CloseAsync();
    }

    [Fact]
    public async Task Opens_asks_and_closes()
    {
        StreamLink link = await StreamLink.ConnectAsync(StreamBroker.Options, StreamBroker.Options.Endpoints[0], CancellationToken.None);
        Assert.Equal("RabbitMQ", link.ServerProperties["product"]);
        Assert.Equal("127.0.0.1", link.ConnectionProperties["advertised_host"]);
        Assert.InRange(link.FrameMax, 4096, 1 << 24);

        string stream = Broker.UniqueName();
        (StreamResponseCode code, _) =
            await link.AskAsync<CreateStream, Nothing>(new CreateStream { Stream = stream }, CancellationToken.None);
        Assert.Equal(StreamResponseCode.Ok, code);
        (code, _) = await link.AskAsync<CreateStream, Nothing>(new CreateStream { Stream = stream }, CancellationToken.None);
        Assert.Equal(StreamResponseCode.StreamAlreadyExists, code);
        (code, _) = await link.AskAsync<DeleteStream, Nothing>(new DeleteStream { Stream = stream }, CancellationToken.None);
        Assert.Equal(StreamResponseCode.Ok, code);

        await link.CloseAsync();
        Assert.Contains("closed by this program", (await link.Ended).Message, StringComparison.Ordinal);
    }
}

using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>The server of the tests does what a broker does, and notices what is wrong.</summary>
public sealed class StrictStreamServerTests
{
    [Theory]
    [InlineData("3.10.8")]
    [InlineData("3.13.0")]
    [InlineData("4.1.0")]
    public async Task Connects_and_answers(string version)
    {
        await using var server = new StrictStreamServer(version);
        await using StreamClient client = await StreamClient.ConnectAsync(server.Options);
        StreamLink link = await client.Links.Locator.LinkAsync(CancellationToken.None);
        Assert.Equal(version, link.ServerProperties["version"]);
        Assert.Equal(version.StartsWith("3.10", StringComparison.Ordinal), link.Versions.Count == 0);

        (StreamResponseCode code, _) =
            await link.AskAsync<CreateStream, Nothing>(new CreateStream { Stream = "s" }, CancellationToken.None);
        Assert.Equal(StreamResponseCode.Ok, code);
        (code, _) = await link.AskAsync<CreateStream, Nothing>(new CreateStream { Stream = "s" }, CancellationToken.None);
        Assert.Equal(StreamResponseCode.StreamAlreadyExists, code);
        StreamLink rented = await client.Links.RentAsync("s", LinkUse.Publish, CancellationToken.None);
        Assert.Equal(2, server.Connections.Count);
        await client.Links.ReturnAsync(rented);
    }

    [Fact]
    public async Task What_a_client_does_wrong_is_thrown()
    {
        var server = new StrictStreamServer();
        await using StreamClient client = await StreamClient.ConnectAsync(server.Options);
        StreamLink link = await client.Links.Locator.LinkAsync(CancellationToken.None);
        link.Credit(7, 1);
        await link.Ended;
        InvalidOperationException failure = await Assert.ThrowsAsync<InvalidOperationException>(async () => await server.DisposeAsync());
        Assert.Contains("Subscription 7 was never there", failure.Message, StringComparison.Ordinal);
    }
}

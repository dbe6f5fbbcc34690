using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Tests.Connections;

public sealed class SharedConnectionTests
{
    [Fact]
    public async Task What_nobody_holds_any_more_is_not_made_again()
    {
        // As where a consumer is closed while it looks for what to publish over: nobody would close what is made then.
        int made = 0;
        var shared = new SharedConnection(_ =>
        {
            made++;
            return Task.FromException<WireConnection>(new IOException("There is none."));
        });
        shared.Hold();
        await Assert.ThrowsAsync<IOException>(() => shared.GetAsync(CancellationToken.None));
        await shared.ReleaseAsync(CancellationToken.None);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => shared.GetAsync(CancellationToken.None));
        Assert.Equal(1, made);
    }
}

namespace Wire.RabbitMQ.Tests.Publishing;

/// <summary>Options that cannot be meant are refused where they are set.</summary>
public sealed class PublishOptionsTests
{
    [Fact]
    public void The_publishers_options_have_ranges()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new WirePublisherOptions { MaxChannels = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new WirePublisherOptions { MaxChannels = 2048 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new WirePublisherOptions { MaxInFlight = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new WirePublisherOptions { MaxInFlight = (1 << 20) + 1 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new WirePublisherOptions { MaxBytesInFlight = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new WirePublisherOptions { RecoveryTimeout = TimeSpan.Zero });
        Assert.Throws<ArgumentOutOfRangeException>(() => new WirePublisherOptions { RecoveryTimeout = TimeSpan.FromDays(2) });
        var options = new WirePublisherOptions();
        Assert.True(options is { Mandatory: true, Persistent: true, MaxChannels: >= 1, MaxInFlight: >= 1 });
    }

    [Fact]
    public void Texts_are_at_most_255_bytes_long()
    {
        string most = new('é', 127);
        string tooMuch = new('é', 128);
        Assert.Equal(most, new PublishOptions { MessageId = most }.MessageId);
        Assert.All(
            (Func<PublishOptions>[])[
                () => new PublishOptions { MessageId = tooMuch },
                () => new PublishOptions { CorrelationId = tooMuch },
                () => new PublishOptions { ReplyTo = tooMuch },
                () => new PublishOptions { Type = tooMuch },
                () => new PublishOptions { AppId = tooMuch },
                () => new PublishOptions { UserId = tooMuch },
            ],
            make => Assert.Contains("255", Assert.Throws<ArgumentException>(make).Message, StringComparison.Ordinal));
    }

    [Fact]
    public void An_expiration_is_one_that_the_broker_accepts()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new PublishOptions { Expiration = TimeSpan.FromMilliseconds(-1) });
        Assert.Throws<ArgumentOutOfRangeException>(() => new PublishOptions { Expiration = TimeSpan.FromMilliseconds(1L << 32) });
        Assert.Equal(TimeSpan.Zero, new PublishOptions { Expiration = TimeSpan.Zero }.Expiration);
        Assert.Null((new PublishOptions { Expiration = TimeSpan.Zero } with { Expiration = null }).Expiration);
    }
}

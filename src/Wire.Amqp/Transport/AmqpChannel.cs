namespace Wire.Amqp.Transport;

/// <summary>
/// A channel of an <see cref="AmqpConnection"/>: publishes, consumes and declares. When the connection is lost and comes back, so does the channel,
/// with its consumers; when the broker closes the channel because of what was done on it, it has ended. Thread-safe: messages go out in the order of
/// the calls, and no frame comes between those of one message.
/// </summary>
public sealed partial class AmqpChannel : IAsyncDisposable
{
    private readonly AmqpConnection _connection;
    private readonly AmqpChannelOptions _options;
    private readonly AmqpBody _body;
    private readonly FrameWriting _writing;
    private readonly long _maxUnsentBytes;
    private readonly bool _resends;
    private ChannelLife? _life;
    private LinkEnd? _end;

    internal AmqpChannel(AmqpConnection connection, AmqpChannelOptions options)
    {
        _connection = connection;
        _options = options;
        _body = connection.Options.Body;
        _writing = connection.Options.Writing;
        _maxUnsentBytes = connection.Options.MaxUnsentBytes;
        _resends = options.Confirms && connection.Options.Recovery is { IsEnabled: true, ResendUnconfirmed: true };
    }

    /// <summary>Whether it can be used: it is open, or the connection is being recovered.</summary>
    public bool IsOpen => Volatile.Read(ref _end) is null;

    /// <summary>Closes the channel. What has been published before is sent; what is not confirmed by then fails.</summary>
    public async ValueTask DisposeAsync()
    {
        ChannelLife? life = _life;
        End(new LinkEnd(new ObjectDisposedException(nameof(AmqpChannel), "The channel has been closed by the program."), IsByProgram: true));
        if (life is not null)
        {
            await life.Channel.CloseAsync(CancellationToken.None).ConfigureAwait(false);
        }

        _connection.Forget(this);
    }

    /// <summary>Opens it on a link.</summary>
    internal async Task OpenAsync(Link link, CancellationToken cancellationToken)
    {
        ChannelLife life = await ChannelLife.OpenAsync(link, this, _options, _gate, cancellationToken).ConfigureAwait(false);
        lock (_gate)
        {
            _life = life;
        }

        RoomMade();
    }

    /// <summary>A message has come.</summary>
    internal void Deliver(ChannelLife life, AmqpDelivery delivery)
    {
        lock (_gate)
        {
            if (life == _life)
            {
                delivery.Dispose();
            }
        }
    }

    /// <summary>The broker has cancelled a consumer.</summary>
    internal void Cancelled(ChannelLife life, AmqpString consumerTag) => End(new LinkEnd(new InvalidOperationException($"{life.Number} {consumerTag}"), false));

    /// <summary>A life of it has ended.</summary>
    internal void LifeEnded(ChannelLife life, LinkEnd end)
    {
        PublicationQueue lost = life.Ring?.TakeAll() ?? default;
        while (lost.TryTake() is { } publication)
        {
            publication.Finish(AmqpPublishException.Unconfirmed(publication, end.Error));
        }

        End(end);
    }

    private void End(LinkEnd end)
    {
        PublicationQueue waiting;
        lock (_gate)
        {
            _end ??= end;
            waiting = _row.TakeAll();
            _waiting = 0;
        }

        while (waiting.TryTake() is { } publication)
        {
            publication.Finish(LinkChannel.Ended(end));
        }
    }

    // With the gate.
    private void ThrowIfClosed()
    {
        if (_end is { } end)
        {
            throw LinkChannel.Ended(end);
        }
    }
}

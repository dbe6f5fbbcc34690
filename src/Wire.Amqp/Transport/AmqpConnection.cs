using System.Collections.Concurrent;

namespace Wire.Amqp.Transport;

/// <summary>
/// A connection to a broker for the hot path: objects are serialized straight into the frames that are sent, and read from those that were received.
/// Thread-safe.
/// </summary>
public sealed class AmqpConnection : IAsyncDisposable
{
    private readonly ConcurrentDictionary<AmqpChannel, bool> _channels = new();
    private readonly Link _link;

    private AmqpConnection(AmqpConnectionOptions options, Link link)
    {
        Options = options;
        _link = link;
        link.BlockedChanged = BlockedChanged;
    }

    internal AmqpConnectionOptions Options { get; }

    /// <summary>Connects to a broker.</summary>
    /// <param name="options">Which, and how.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="AmqpConnectionException">No broker can be reached in time, or it refuses.</exception>
    public static async Task<AmqpConnection> ConnectAsync(AmqpConnectionOptions options, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        return new AmqpConnection(options, await Link.ConnectAsync(options, options.Endpoints[0], cancellationToken).ConfigureAwait(false));
    }

    /// <summary>Opens a channel.</summary>
    public async Task<AmqpChannel> OpenChannelAsync(AmqpChannelOptions? options = null, CancellationToken cancellationToken = default)
    {
        var channel = new AmqpChannel(this, options ?? new AmqpChannelOptions());
        _channels[channel] = true;
        await channel.OpenAsync(_link, cancellationToken).ConfigureAwait(false);
        return channel;
    }

    /// <summary>Closes the connection.</summary>
    public async ValueTask DisposeAsync() => await _link.CloseAsync(CancellationToken.None).ConfigureAwait(false);

    internal void Forget(AmqpChannel channel) => _channels.TryRemove(channel, out _);

    private void BlockedChanged(string? reason)
    {
        if (reason is not null)
        {
            return;
        }

        foreach (AmqpChannel channel in _channels.Keys)
        {
            channel.RoomMade();
        }
    }
}

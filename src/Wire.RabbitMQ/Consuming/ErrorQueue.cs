using RabbitMQ.Client;

namespace Wire.RabbitMQ;

/// <summary>Where messages go that cannot be handled. Thread-safe.</summary>
internal sealed class ErrorQueue(ChannelSource source, WireConsumerOptions options) : IAsyncDisposable
{
    private static readonly CreateChannelOptions Confirmed = new(publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: true);

    private readonly SemaphoreSlim _gate = new(1);
    private IChannel? _channel;
    private bool _isDeclared;

    /// <summary>Its name.</summary>
    public string Name { get; } = options.EffectiveErrorQueue;

    /// <summary>How long a message waits that the error queue does not take, before it goes back.</summary>
    public TimeSpan Pause { get; } = TimeSpan.FromSeconds(1);

    /// <summary>Declares it, where the options say so.</summary>
    public async Task DeclareAsync(CancellationToken cancellationToken)
    {
        if (options.OnFailure != FailureAction.ErrorQueue || !options.DeclareErrorQueue || _isDeclared)
        {
            return;
        }

        IChannel channel = await source.OpenAsync(new CreateChannelOptions(false, false), cancellationToken).ConfigureAwait(false);
        try
        {
            await channel.QueueDeclareAsync(Name, durable: true, exclusive: false, autoDelete: false, cancellationToken: cancellationToken).ConfigureAwait(false);
            _isDeclared = true;
        }
        finally
        {
            await ChannelSource.DropAsync(channel).ConfigureAwait(false);
        }
    }

    /// <summary>Publishes a message to it. It has arrived when this ends without an exception.</summary>
    public async Task PublishAsync(Delivery delivery, Failure failure, CancellationToken cancellationToken)
    {
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await DeclareAsync(cancellationToken).ConfigureAwait(false);
            _channel ??= await source.OpenAsync(Confirmed, cancellationToken).ConfigureAwait(false);
            BasicProperties properties = ErrorHeaders.Of(options.Queue, delivery, failure, source.Connection.FrameMax);
            await _channel.BasicPublishAsync("", Name, mandatory: true, properties, delivery.Body, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            // It may have been deleted, or the channel closed: the next message finds out anew.
            _isDeclared = false;
            await DropAsync().ConfigureAwait(false);
            throw;
        }
        finally
        {
            _gate.Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        await DropAsync().ConfigureAwait(false);
        _gate.Release();
    }

    private async Task DropAsync()
    {
        if (_channel is { } channel)
        {
            _channel = null;
            await ChannelSource.DropAsync(channel).ConfigureAwait(false);
        }
    }
}

using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Publishing;
using Wire.Transport.Pending;
using Wire.Transport.Recovery;

namespace Wire.Amqp.Client;

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
        _streamAbove = connection.Options.StreamAbove;
        _resends = options.Confirms && connection.Options.Recovery is { IsEnabled: true, ResendUnconfirmed: true };
    }

    /// <summary>Whether it can be used: it is open, or the connection is being recovered.</summary>
    public bool IsOpen => Volatile.Read(ref _end) is null;

    /// <summary>The channel of the link that there is now; null when there is none.</summary>
    internal ChannelLife? Life => Volatile.Read(ref _life);

    /// <summary>
    /// Closes the channel: what has been written before is sent, and the broker is told. Messages that still wait for room, or that it has not confirmed by then, fail; await
    /// their tasks first.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        // First, so that a life which is being opened right now is not taken for one of a channel that is wanted.
        var end = new LinkEnd(new ObjectDisposedException(nameof(AmqpChannel), "The channel has been closed by the program."), IsByProgram: true);
        _connection.Forget(this);
        Finish(end);
        ChannelLife? life;
        lock (_gate)
        {
            life = _life;
        }

        if (life is not null)
        {
            await CloseAsync(life).ConfigureAwait(false);
        }
    }

    private bool HasConsumers => Volatile.Read(ref _consumers).Length > 0;

    /// <summary>Opens it on a link.</summary>
    internal async Task OpenAsync(Link link, CancellationToken cancellationToken)
    {
        ChannelLife life = await ChannelLife.OpenAsync(link, this, _options, _gate, cancellationToken).ConfigureAwait(false);
        Use(life);
    }

    /// <summary>Opens it anew, on the link after the one that was lost.</summary>
    /// <param name="link">The link.</param>
    /// <param name="declared">Ends when all queues are there again, which consumers need.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    internal async Task RestoreAsync(Link link, Task declared, CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, link.Gone);
        bool isFirst = true;
        await new Reconnector(_connection.Options.Recovery).RunAsync(
            async _ =>
            {
                if (!isFirst)
                {
                    await _connection.DeclareAsync(link, cancellationToken).ConfigureAwait(false);
                }

                isFirst = false;
                return await TryRestoreAsync(link, declared, cancellationToken).ConfigureAwait(false);
            },
            static _ => false,
            null,
            over.Token).ConfigureAwait(false);
    }

    // False where the queue of a consumer is not to be had yet.
    private async Task<bool> TryRestoreAsync(Link link, Task declared, CancellationToken cancellationToken)
    {
        while (IsOpen)
        {
            if (HasConsumers)
            {
                await declared.ConfigureAwait(false);
            }

            ChannelLife life = await ChannelLife.OpenAsync(link, this, _options, _gate, cancellationToken).ConfigureAwait(false);
            switch (await RestoreConsumersAsync(life, cancellationToken).ConfigureAwait(false))
            {
                case ConsumersRestored.All:
                    Use(life);
                    return true;
                case ConsumersRestored.OneToRetry:
                    return false;
            }

            // The broker has closed the life over a consumer that it refuses, which has ended: the others can consume on another.
        }

        return true;
    }

    /// <summary>A life of it has ended.</summary>
    internal void LifeEnded(ChannelLife life, LinkEnd end)
    {
        bool isInUse;
        bool comesBack = ComesBack(end);
        OperationQueue<Publication> unconfirmed = life.Ring?.TakeAll() ?? default;
        lock (_gate)
        {
            // One that is being opened fails by itself.
            isInUse = _life == life;
            if (isInUse)
            {
                _life = null;
            }

            if (comesBack && _resends && _end is null)
            {
                PutFirst(unconfirmed.TakeAll());
            }
        }

        while (unconfirmed.TryTake() is { } publication)
        {
            publication.Finish(AmqpPublishException.Unconfirmed(publication, end.Error));
        }

        if (isInUse && !comesBack)
        {
            _connection.Forget(this);
            Finish(end);
        }
    }

    /// <summary>It has ended for good.</summary>
    internal void Finish(LinkEnd end)
    {
        OperationQueue<Publication> waiting;
        lock (_gate)
        {
            _end ??= end;
            waiting = _row.TakeAll();
            Mark(waiting, isWaiting: false);
            _waiting = 0;
        }

        while (waiting.TryTake() is { } publication)
        {
            publication.Finish(publication.IsWritten ? AmqpPublishException.Unconfirmed(publication, end.Error) : LinkChannel.Ended(end));
        }

        LifeMayHaveCome();
        EndConsumers(end);
    }

    // With the gate. They wait again, before all others.
    private void PutFirst(OperationQueue<Publication> publications)
    {
        Mark(publications, isWaiting: true);
        _waiting += publications.Count;
        _row.Prepend(publications);
    }

    private static void Mark(OperationQueue<Publication> publications, bool isWaiting)
    {
        foreach (Publication publication in publications)
        {
            publication.IsWaiting = isWaiting;
        }
    }

    private void Use(ChannelLife life)
    {
        bool isWanted;
        lock (_gate)
        {
            isWanted = _end is null;
            if (isWanted)
            {
                _life = life;
            }
        }

        if (!isWanted)
        {
            // Disposed of meanwhile.
            _ = CloseAsync(life);
            return;
        }

        if (life.Channel.End is { } end)
        {
            // When it was told of that, it was not in use yet.
            LifeEnded(life, end);
            return;
        }

        LifeMayHaveCome();
        RoomMade();
    }

    // Whether another life follows on one that has ended so.
    private bool ComesBack(LinkEnd end) => !end.IsByProgram && end.Error is AmqpConnectionException && _connection.Options.Recovery.IsEnabled;

    private async Task CloseAsync(ChannelLife life)
    {
        using var timeout = new CancellationTokenSource(_connection.Options.ConnectTimeout);
        try
        {
            await life.Channel.CloseAsync(timeout.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The broker does not answer. It has ended all the same.
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

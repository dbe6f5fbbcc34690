using System.Runtime.CompilerServices;
using Wire.RabbitMQ.Publishing;

namespace Wire.RabbitMQ.Client;

/// <summary>The drain: takes messages from the queue one after the other and publishes them.</summary>
internal sealed partial class ClientPublisher
{
    // The message that is in neither queue nor ring.
    private ClientPublication? _inHand;

    private async Task DrainAsync(int budget)
    {
        while (true)
        {
            lock (_gate)
            {
                if (IsFull || _waiting.Count == 0)
                {
                    _draining = false;
                    SignalWhenEmpty();
                    return;
                }

                if (budget-- == 0)
                {
                    break;
                }

                _inHand = _waiting.TryTake()!;
            }

            try
            {
                await PublishAsync(_inHand).ConfigureAwait(false);
            }
            catch (Exception e)
            {
                // No known path leads here. The messages that it would leave behind must not wait for ever.
                FinishInHand(e);
                if (_session is { } session)
                {
                    Close(session, e);
                }
            }
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    // Any failure ends the task of the message.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask PublishAsync(ClientPublication publication)
    {
        if (!publication.TryStart())
        {
            FinishInHand(null);
            return;
        }

        while (true)
        {
            Session session;
            try
            {
                session = _session is { IsClosed: false } open ? open : await OpenAsync().ConfigureAwait(false);
            }
            catch (Exception e)
            {
                FinishInHand(e);
                FailWaiting(e);
                return;
            }

            if (publication.IsAbandoned)
            {
                FinishInHand(null);
                return;
            }

            try
            {
                publication.Session = session;
                await publication.PublishAsync(session.Channel!).ConfigureAwait(false);
                if (_inHand is null)
                {
                    return;
                }
            }
            catch (Exception e) when (_inHand is not null && !(e is NotSentException && !session.Channel!.IsOpen))
            {
                // It failed before it reached the channel.
                FinishInHand((e as NotSentException)?.Reason ?? e);
                return;
            }
            catch (Exception e)
            {
                if (!TryTakeBack(session, publication))
                {
                    // It has failed with its channel.
                    return;
                }

                // Then the next channel takes it.
                var notSent = e as NotSentException;
                bool isOpen = session.Channel!.IsOpen;
                Exception reason = notSent?.Reason ?? session.Channel.CloseReason ?? e;
                if (notSent is null)
                {
                    FinishInHand(isOpen ? e : publication.Unconfirmed(reason));
                }

                if (notSent is not null || !isOpen)
                {
                    Close(session, reason);
                }

                if (notSent is null)
                {
                    return;
                }
            }
        }
    }

    /// <summary>
    /// Undoes a failed message, committed or not; false if it was committed and has completed since.
    /// </summary>
    private bool TryTakeBack(Session session, ClientPublication publication)
    {
        lock (_gate)
        {
            if (_inHand is null)
            {
                _inHand = session.InFlight.TryTakeBack(publication) ? publication : null;
            }

            return _inHand is not null;
        }
    }

    /// <summary>Opens the channel for the first messages, or the next ones. Only the drain calls it later.</summary>
    public async Task<Session> OpenAsync()
    {
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
        timeout.CancelAfter(options.RecoveryTimeout);
        try
        {
            while (true)
            {
                var opened = new Session(this, options);
                await opened.OpenAsync(connection, timeout.Token).ConfigureAwait(false);
                lock (_gate)
                {
                    _session = _stop.IsCancellationRequested || opened.IsClosed ? _session : opened;
                }

                if (_session == opened)
                {
                    return opened;
                }

                await opened.CloseAsync(CancellationToken.None).ConfigureAwait(false);
                timeout.Token.ThrowIfCancellationRequested();
            }
        }
        catch (OperationCanceledException) when (timeout.IsCancellationRequested)
        {
            throw _stop.IsCancellationRequested ? PublishChannel.Disposed() : connection.NotBack(options.RecoveryTimeout);
        }
    }

    private void FinishInHand(Exception? error)
    {
        ClientPublication? publication = _inHand;
        _inHand = null;
        publication?.Finish(error);
    }
}

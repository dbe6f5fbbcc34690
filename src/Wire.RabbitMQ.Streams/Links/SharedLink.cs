using System.Diagnostics.CodeAnalysis;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Links;

/// <summary>
/// A link that several use, or wait for while it is being connected. A caller that stops waiting does not affect the others.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "CloseAsync ends it.")]
internal sealed class SharedLink
{
    private readonly CancellationTokenSource _closing = new();
    private readonly Task<StreamLink> _connecting;

    /// <param name="use">Its purpose; null for the locator.</param>
    /// <param name="node">The node, by its advertised address; null for any.</param>
    /// <param name="connect">Connects.</param>
    public SharedLink(LinkUse? use, BrokerEndpoint? node, Func<CancellationToken, Task<StreamLink>> connect)
    {
        Use = use;
        Node = node;
        CancellationToken closing = _closing.Token;
        _connecting = Task.Run(() => connect(closing), CancellationToken.None);
    }

    public LinkUse? Use { get; }

    public BrokerEndpoint? Node { get; }

    /// <summary>Gets the number of owners. Used under the lock of the pool.</summary>
    public int Users { get; set; }

    /// <summary>The link; null where it is not connected yet, or could not be.</summary>
    public StreamLink? Link => _connecting.IsCompletedSuccessfully ? _connecting.Result : null;

    /// <summary>Gets whether it can no longer be used.</summary>
    public bool HasEnded => _connecting.IsCompleted && Link is not { HasEnded: false };

    /// <summary>Waits until it is connected.</summary>
    /// <exception cref="StreamConnectionException">It cannot be connected.</exception>
    /// <exception cref="ObjectDisposedException">The client has been disposed of meanwhile.</exception>
    public async Task<StreamLink> WaitAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await _connecting.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (StreamConnectionException e)
        {
            throw e.Again();
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw new ObjectDisposedException(typeof(StreamClient).FullName);
        }
    }

    /// <summary>Closes it, or ends the attempt to connect.</summary>
    /// <param name="cancellationToken">Ends the wait for the broker's answer.</param>
    public async Task CloseAsync(CancellationToken cancellationToken)
    {
        await _closing.CancelAsync().ConfigureAwait(false);
        await Task.WhenAny(_connecting).ConfigureAwait(false);
        _closing.Dispose();
        if (Link is { } link)
        {
            await link.CloseAsync(cancellationToken).ConfigureAwait(false);
        }
        else
        {
            // The failure has been reported to those who waited.
            _ = _connecting.Exception;
        }
    }
}

using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace Wire.RabbitMQ.Connections;

/// <summary>
/// A connection to a broker, whatever carries it: all that publishers, consumers and requesters know of one. It comes back by itself when it is
/// lost; its channels do not, and whoever had one opens another. What is said of failures is said in the words of RabbitMQ.Client
/// (<see cref="ShutdownEventArgs"/>, its exceptions) by every implementation. Thread-safe.
/// </summary>
internal interface IBrokerConnection
{
    /// <summary>Whether channels can be opened. Not while the connection is coming back.</summary>
    bool IsReady { get; }

    /// <summary>Whether the program has closed it, so that it never comes back.</summary>
    bool IsClosedForGood { get; }

    /// <summary>What it was lost or closed by; null where that is not known, or is nothing.</summary>
    Exception? Error { get; }

    /// <summary>What to look at when it does not come back: the end of an error message, a sentence or several.</summary>
    string Advice { get; }

    /// <summary>The largest frame, as agreed on with the broker; 0 for no limit.</summary>
    /// <exception cref="ObjectDisposedException">It has been disposed of.</exception>
    uint FrameMax { get; }

    /// <summary>The broker, for spans and numbers; null where it is not known any more.</summary>
    AmqpTcpEndpoint? Server { get; }

    /// <summary>Opens a channel on the connection as it is now: it does not wait until it is back.</summary>
    /// <exception cref="OperationInterruptedException">The connection or the channel was closed meanwhile, or before (<see cref="AlreadyClosedException"/>).</exception>
    /// <exception cref="IOException">The connection was lost.</exception>
    /// <exception cref="InvalidOperationException">It has as many channels as it may have. The text says what to do.</exception>
    /// <exception cref="ObjectDisposedException">It has been disposed of.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    Task<IBrokerChannel> OpenChannelAsync(ChannelUse use, CancellationToken cancellationToken);

    /// <summary>Says when the broker begins and ceases to hold publishers back.</summary>
    /// <param name="tell">Called with the broker's reason when it begins, with null when it ceases. It does not wait.</param>
    /// <returns>What ends this when it is disposed of.</returns>
    /// <exception cref="ObjectDisposedException">The connection has been disposed of.</exception>
    IDisposable WatchBlocking(Action<string?> tell);
}

/// <summary>What a channel is for.</summary>
/// <param name="Confirms">Whether the broker confirms what is published, by numbers from 1.</param>
/// <param name="Concurrency">How many deliveries may be told side by side; their order is kept where it is one.</param>
internal sealed record ChannelUse(bool Confirms = false, ushort Concurrency = 1);

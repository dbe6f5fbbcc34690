using System.Globalization;
using System.Threading.Channels;
using Wire.Testing;

namespace Wire.Amqp.Testing;

/// <summary>
/// How an <see cref="AmqpServer"/> looks at passwords: each says when it expires, and then the connection is closed over it, unless it has
/// been replaced by connection.update-secret.
/// </summary>
/// <param name="time">The time of the server.</param>
public sealed class ServerSecrets(TimeProvider time)
{
    private readonly Channel<bool> _updates = Channel.CreateUnbounded<bool>();
    private int _toRefuse;

    /// <summary>How many secrets are refused, from the next one on, whatever they say.</summary>
    public int ToRefuse { set => Volatile.Write(ref _toRefuse, value); }

    /// <summary>Whether no update has come that was not waited for.</summary>
    public bool IsUpToDate => !_updates.Reader.TryPeek(out _);

    internal TimeProvider Time => time;

    /// <summary>A secret that is taken until some time.</summary>
    public static string Until(DateTimeOffset expiry) => expiry.UtcTicks.ToString(CultureInfo.InvariantCulture);

    /// <summary>Waits for the next update that a connection has been told to be good.</summary>
    public Task UpdatedAsync() => _updates.Reader.ReadAsync().AsTask().InTime();

    internal void Updated() => _updates.Writer.TryWrite(true);

    // Null where it is refused.
    internal TimeSpan? TimeLeft(string secret)
    {
        if (Interlocked.Decrement(ref _toRefuse) >= 0)
        {
            return null;
        }

        Interlocked.Increment(ref _toRefuse);
        TimeSpan left = new DateTimeOffset(long.Parse(secret, CultureInfo.InvariantCulture), TimeSpan.Zero) - time.GetUtcNow();
        return left > TimeSpan.Zero ? left : null;
    }
}

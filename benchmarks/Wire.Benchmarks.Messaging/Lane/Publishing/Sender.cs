namespace Wire.Benchmarks.Messaging.Lane.Publishing;

/// <summary>One way to publish: what rows and tables have in common.</summary>
/// <param name="name">What it is called.</param>
internal abstract class Sender(string name) : IAsyncDisposable
{
    public const string RoutingKey = "parcels";

    public string Name => name;

    /// <summary>Connects, and opens so many channels.</summary>
    public abstract Task OpenAsync(Uri uri, int channels = 1);

    /// <summary>Publishes on a channel, and waits as a program that publishes one message after the other does.</summary>
    public abstract ValueTask SendAsync(Load load, int channel = 0);

    /// <summary>Sends what may have been kept back.</summary>
    public virtual ValueTask FlushAsync() => ValueTask.CompletedTask;

    public abstract ValueTask DisposeAsync();
}

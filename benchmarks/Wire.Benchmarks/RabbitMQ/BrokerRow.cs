namespace Wire.Benchmarks;

/// <summary>One way to bring messages to a broker or to get them from it.</summary>
/// <param name="name">What the row is called.</param>
/// <param name="messages">How many messages one measurement takes: about a second's worth.</param>
internal abstract class BrokerRow(string name, int messages) : IAsyncDisposable
{
    public string Name => name;

    public int Messages => messages;

    /// <summary>What is not measured: before the first measurement.</summary>
    public abstract Task OpenAsync();

    /// <summary>What is not measured: before each measurement.</summary>
    public virtual Task PrepareAsync() => Task.CompletedTask;

    /// <summary>What is measured.</summary>
    public abstract Task RunAsync();

    /// <inheritdoc/>
    public abstract ValueTask DisposeAsync();
}

namespace Wire.Benchmarks.Messaging.Tables;

/// <summary>One way to bring messages somewhere or to get them from there.</summary>
/// <param name="name">What the row is called.</param>
/// <param name="messages">How many messages one measurement takes: about a second's worth.</param>
internal abstract class MessageRow(string name, int messages)
{
    public string Name => name;

    public int Messages => messages;

    /// <summary>What is not measured: before the first measurement.</summary>
    public virtual Task OpenAsync() => Task.CompletedTask;

    /// <summary>What is not measured: before each measurement.</summary>
    public virtual Task PrepareAsync() => Task.CompletedTask;

    /// <summary>What is measured.</summary>
    public abstract Task RunAsync();

    /// <summary>What is not measured: after the last measurement.</summary>
    public virtual ValueTask CloseAsync() => ValueTask.CompletedTask;
}

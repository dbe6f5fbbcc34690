namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>Something that happens to a run again and again.</summary>
/// <param name="Name">What it is called in the table.</param>
/// <param name="Strike">Has it happen once, and ends when the run goes on as before.</param>
internal sealed record Fault(string Name, Func<FaultRun, Random, Task> Strike)
{
    /// <summary>How long a connection may be silent; the client's own time unless set.</summary>
    public TimeSpan? Heartbeat { get; init; }

    /// <summary>Whether it takes seconds, so that it should not happen often.</summary>
    public bool IsSlow { get; init; }

    public override string ToString() => Name;
}

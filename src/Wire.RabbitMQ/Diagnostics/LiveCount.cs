using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;

namespace Wire.RabbitMQ.Diagnostics;

/// <summary>
/// A current amount, collected from its sources when it is read: the hot path counts nothing, and a late listener sees the right number.
/// </summary>
internal sealed class LiveCount
{
    // Weak references: sources that are never removed are not kept alive.
    private readonly ConditionalWeakTable<object, Source> _sources = [];

    public LiveCount(string name, string description) =>
        Telemetry.Meter.CreateObservableUpDownCounter(name, Observe, "{message}", description);

    /// <summary>Adds a source until <see cref="Remove"/> or its collection.</summary>
    /// <param name="owner">Whose number it is.</param>
    /// <param name="count">Tells the number; called on any thread.</param>
    /// <param name="destination">Where its messages come from; null where they go to more than one place.</param>
    public void Add<T>(T owner, Func<T, long> count, string? destination = null)
        where T : class => _sources.AddOrUpdate(owner, new Source(destination, each => count((T)each)));

    public void Remove(object owner) => _sources.Remove(owner);

    // Sources with the same tags are added up: a reader takes the last measurement of a kind, not their sum.
    private IEnumerable<Measurement<long>> Observe() => _sources
        .GroupBy(source => source.Value.Destination, source => source.Value.Count(source.Key))
        .Select(counts => new Measurement<long>(counts.Sum(), Tags(counts.Key)));

    private static KeyValuePair<string, object?>[] Tags(string? destination) => destination is null
        ? [new(Attributes.System, Attributes.RabbitMQ)]
        : [new(Attributes.System, Attributes.RabbitMQ), new(Attributes.DestinationName, destination)];

    private sealed record Source(string? Destination, Func<object, long> Count);
}

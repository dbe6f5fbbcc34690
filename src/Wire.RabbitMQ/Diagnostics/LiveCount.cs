using System.Collections.Concurrent;
using System.Diagnostics.Metrics;

namespace Wire.RabbitMQ;

/// <summary>
/// How much there is of something right now, asked of those who know whenever somebody looks: the hot path counts nothing for it, and the
/// number is right also for who begins to listen late.
/// </summary>
internal sealed class LiveCount
{
    private readonly ConcurrentDictionary<object, Func<Measurement<long>>> _sources = new();

    public LiveCount(string name, string description) =>
        Telemetry.Meter.CreateObservableUpDownCounter(name, Observe, "{message}", description);

    /// <summary>Asks a source until <see cref="Remove"/>.</summary>
    /// <param name="owner">Whose number it is.</param>
    /// <param name="count">Tells the number; called on any thread.</param>
    /// <param name="destination">Where its messages come from; null where they go to more than one place.</param>
    public void Add(object owner, Func<long> count, string? destination = null)
    {
        KeyValuePair<string, object?>[] tags = destination is null
            ? [new(Attributes.System, Attributes.RabbitMQ)]
            : [new(Attributes.System, Attributes.RabbitMQ), new(Attributes.DestinationName, destination)];
        _sources[owner] = () => new Measurement<long>(count(), tags);
    }

    public void Remove(object owner) => _sources.TryRemove(owner, out _);

    // Those with the same tags are one number: a reader takes the last measurement of a kind, not their sum.
    private IEnumerable<Measurement<long>> Observe() => _sources.Values
        .Select(source => source())
        .GroupBy(measurement => DestinationOf(measurement))
        .Select(group => new Measurement<long>(group.Sum(measurement => measurement.Value), group.First().Tags));

    private static string? DestinationOf(Measurement<long> measurement) =>
        measurement.Tags.Length > 1 ? (string?)measurement.Tags[1].Value : null;
}

using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;

namespace Wire.Transport.Diagnostics;

/// <summary>
/// The numbers of what there is at present, asked for when someone reads them: nothing is counted for them on the way. Thread-safe.
/// </summary>
internal sealed class LiveNumbers
{
    // Weak references: owners that are never removed are not kept alive.
    private readonly ConditionalWeakTable<object, Row> _rows = [];
    private readonly Func<IEnumerable<long>, long> _join;

    // One number of those with the same tags, as a reader takes the last measurement of a kind.
    private LiveNumbers(Func<IEnumerable<long>, long> join) => _join = join;

    /// <summary>Creates an instrument whose numbers with the same tags are added up.</summary>
    public static LiveNumbers Sum(Meter meter, string name, string unit, string description)
    {
        var numbers = new LiveNumbers(Enumerable.Sum);
        meter.CreateObservableUpDownCounter(name, numbers.Observe, unit, description);
        return numbers;
    }

    /// <summary>Creates an instrument that has the largest of the numbers with the same tags.</summary>
    public static LiveNumbers Largest(Meter meter, string name, string unit, string description)
    {
        var numbers = new LiveNumbers(Enumerable.Max);
        meter.CreateObservableGauge(name, numbers.Observe, unit, description);
        return numbers;
    }

    /// <summary>Adds an owner.</summary>
    /// <param name="owner">Whose number it is.</param>
    /// <param name="tags">What it is shown with.</param>
    /// <param name="number">Tells the number; called on any thread.</param>
    public void Add<T>(T owner, KeyValuePair<string, object?>[] tags, Func<T, long> number)
        where T : class => _rows.AddOrUpdate(owner, new Row(tags, each => number((T)each)));

    /// <summary>Removes an owner.</summary>
    public void Remove(object owner) => _rows.Remove(owner);

    private IEnumerable<Measurement<long>> Observe() =>
        _rows.GroupBy(row => string.Join('\n', row.Value.Tags.Select(tag => tag.Value)), StringComparer.Ordinal)
            .Select(rows => new Measurement<long>(_join(rows.Select(row => row.Value.Number(row.Key))), rows.First().Value.Tags));

    private sealed record Row(KeyValuePair<string, object?>[] Tags, Func<object, long> Number);
}

using System.Diagnostics;

namespace Wire.Benchmarks.Messaging.Tables;

/// <summary>A figure of each row behind how many messages it takes in a second.</summary>
/// <param name="Name">What stands above it.</param>
/// <param name="Format">How it is printed.</param>
/// <param name="Select">The figure of one measurement.</param>
/// <param name="IsRatio">Whether it is compared with that of the table's first baseline.</param>
internal sealed record Column(string Name, string Format, Func<Measurement, double> Select, bool IsRatio = false);

/// <summary>Rows that do the same in different ways.</summary>
/// <param name="Name">What the table is called.</param>
/// <param name="Columns">The figures behind the rate and its ratios.</param>
/// <param name="Rows">The ways.</param>
/// <param name="Baselines">Which of them the others are compared with.</param>
internal sealed record MessageTable(string Name, IReadOnlyList<Column> Columns, IReadOnlyList<MessageRow> Rows, params int[] Baselines)
{
    /// <summary>How often the rows are measured.</summary>
    public const int Rounds = 5;

    /// <summary>Whether the process has one core alone; there is no broker then.</summary>
    public bool IsOnOneCore { get; init; }

    /// <summary>Whether its rows need a broker: they are measured with each then.</summary>
    public bool UsesBroker { get; init; }

    /// <summary>Measures the rows, with each broker where they use one: what a second one gives stands in columns of its own.</summary>
    public async Task<string> MeasureAsync()
    {
        string[][] lines = await MeasureOnceAsync();
        foreach (MeasuredBroker newer in UsesBroker ? MeasuredBroker.All.Skip(1) : [])
        {
            MeasuredBroker.Current = newer;
            string name = await newer.DescribeAsync();
            string[][] more = await MeasureOnceAsync();
            MeasuredBroker.Current = MeasuredBroker.All[0];

            // The rate, its ratios, and the first figure.
            string[] shown = more[0][1..(Baselines.Length + 3)];
            lines = [.. lines.Zip(more, (line, other) => (string[])[.. line, .. other[1..(shown.Length + 1)]])];
            lines[0] = [.. lines[0][..^shown.Length], .. shown.Select(column => $"{name}: {column}")];
        }

        return Table.Format(lines);
    }

    // Rows one after the other, as often as there are rounds.
    private async Task<string[][]> MeasureOnceAsync()
    {
        foreach (MessageRow row in Rows)
        {
            await row.OpenAsync();
        }

        string[] names = [.. Rows.Select(row => $"{Name}, {row.Name}")];
        List<Measurement>[] measured = await MeasureAsync(names, warmUp: 2, Rounds, i => MeasureAsync(Rows[i]));
        foreach (MessageRow row in Rows)
        {
            await row.CloseAsync();
        }

        return
        [
            [Name, "messages/s", .. Baselines.Select(baseline => $"x of: {Rows[baseline].Name}"), .. Columns.Select(column => column.Name)],
            .. Rows.Select((row, i) => (string[])
            [
                row.Name,
                Table.Median(measured[i].Select(figures => figures.Rate), "N0"),
                .. Baselines.Select(baseline => Table.Median(Ratios(measured[i], measured[baseline], figures => figures.Rate), "0.00")),
                .. Columns.Select(column => Table.Median(
                    column.IsRatio
                        ? Ratios(measured[i], measured[Baselines[0]], column.Select)
                        : measured[i].Select(column.Select), column.Format)),
            ]),
        ];
    }

    /// <summary>Measures several ways in turn, so that a disturbance of the machine meets all of them.</summary>
    /// <param name="names">What they are called.</param>
    /// <param name="warmUp">
    /// How many rounds do not count: they have the code compiled, and again when it is known which of it is hot.
    /// </param>
    /// <param name="rounds">How many count.</param>
    /// <param name="measure">Measures one of them.</param>
    /// <returns>What was measured, by ways.</returns>
    public static async Task<List<T>[]> MeasureAsync<T>(IReadOnlyList<string> names, int warmUp, int rounds, Func<int, Task<T>> measure)
    {
        List<T>[] measured = [.. names.Select(_ => new List<T>())];
        for (int round = -warmUp; round < rounds; round++)
        {
            for (int i = 0; i < names.Count; i++)
            {
                T figures = await measure(i);
                Console.Error.WriteLine($"{names[i]}: {figures}");
                if (round >= 0)
                {
                    measured[i].Add(figures);
                }
            }
        }

        return measured;
    }

    private async Task<Measurement> MeasureAsync(MessageRow row)
    {
        await row.PrepareAsync();
        using OneCore? core = IsOnOneCore ? OneCore.Enter() : null;
        Measurement measured = await Measurement.OfAsync(row.Messages, row.RunAsync);
        double[] sorted = [.. row.Microseconds.Order()];
        return sorted.Length == 0 ? measured : measured with { Half = sorted[sorted.Length / 2], Most = sorted[sorted.Length * 99 / 100] };
    }

    private static IEnumerable<double> Ratios(List<Measurement> own, List<Measurement> other, Func<Measurement, double> select) =>
        own.Zip(other, (own, other) => select(own) / select(other));
}

/// <summary>One way to bring messages somewhere or to get them from there.</summary>
/// <param name="name">What the row is called.</param>
/// <param name="messages">How many messages one measurement takes: about a second's worth.</param>
internal abstract class MessageRow(string name, int messages)
{
    public string Name => name;

    public int Messages => messages;

    /// <summary>How long each message of the last measurement took; none where that is not measured.</summary>
    public virtual IReadOnlyList<double> Microseconds => [];

    /// <summary>What is not measured: before the first measurement.</summary>
    public virtual Task OpenAsync() => Task.CompletedTask;

    /// <summary>What is not measured: before each measurement.</summary>
    public virtual Task PrepareAsync() => Task.CompletedTask;

    /// <summary>What is measured.</summary>
    public abstract Task RunAsync();

    /// <summary>What is not measured: after the last measurement.</summary>
    public virtual ValueTask CloseAsync() => ValueTask.CompletedTask;
}

/// <summary>What one measurement gave.</summary>
/// <param name="Seconds">How long it took.</param>
/// <param name="Rate">Messages in a second.</param>
/// <param name="Bytes">Allocated for each message.</param>
/// <param name="Client">
/// The processor time of this process, as a part of the time that has passed; more than 1 where several cores worked.
/// </param>
/// <param name="Broker">The same of the broker; not a number where that is not known.</param>
internal readonly record struct Measurement(double Seconds, double Rate, double Bytes, double Client, double Broker)
{
    /// <summary>What half of the messages took at most, in microseconds, where that is measured.</summary>
    public double Half { get; init; } = double.NaN;

    /// <summary>What 99 of 100 messages took at most, in microseconds, where that is measured.</summary>
    public double Most { get; init; } = double.NaN;

    /// <summary>The processor time of this process for a message.</summary>
    public double Nanoseconds => Client / Rate * 1e9;

    public override string ToString() =>
        $"{Seconds:0.0} s, {Rate:N0}/s, {Nanoseconds:N1} ns, {Bytes:N2} B, {Client:P0} of a core, broker {Broker:P0}";

    /// <summary>Measures what works on so many messages.</summary>
    public static async Task<Measurement> OfAsync(int messages, Func<Task> run)
    {
        double broker = MeasuredBroker.Current.Use.Nanoseconds();
        GC.Collect();
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        double client = ProcessorClock.Nanoseconds();
        long start = Stopwatch.GetTimestamp();
        await run();
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        client = ProcessorClock.Nanoseconds() - client;
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
        broker = MeasuredBroker.Current.Use.Nanoseconds() - broker;
        return new Measurement(seconds, messages / seconds, (double)allocated / messages, client / 1e9 / seconds, broker / 1e9 / seconds);
    }
}

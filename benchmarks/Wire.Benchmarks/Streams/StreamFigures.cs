using System.Diagnostics;

namespace Wire.Benchmarks;

/// <summary>What one measurement gave.</summary>
/// <param name="Seconds">How long it took.</param>
/// <param name="Rate">Messages in a second.</param>
/// <param name="Bytes">Allocated for each message.</param>
/// <param name="Client">The processor time of this process, as a part of the time that has passed; more than 1 where several cores worked.</param>
/// <param name="Broker">The same of the broker; not a number where that is not known.</param>
internal readonly record struct StreamFigures(double Seconds, double Rate, double Bytes, double Client, double Broker)
{
    /// <summary>Measures what works on so many messages.</summary>
    public static async Task<StreamFigures> MeasureAsync(int messages, Func<Task> run)
    {
        GC.Collect();
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        double broker = BrokerUse.Nanoseconds();
        double client = ProcessorClock.Nanoseconds();
        long start = Stopwatch.GetTimestamp();
        await run();
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        client = ProcessorClock.Nanoseconds() - client;
        broker = BrokerUse.Nanoseconds() - broker;
        return new StreamFigures(
            seconds, messages / seconds, (double)(GC.GetTotalAllocatedBytes(precise: true) - allocated) / messages, client / 1e9 / seconds, broker / 1e9 / seconds);
    }
}

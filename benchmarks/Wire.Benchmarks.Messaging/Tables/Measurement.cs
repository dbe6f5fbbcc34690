using System.Diagnostics;
using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Messaging.Tables;

/// <summary>What one measurement gave.</summary>
/// <param name="Seconds">How long it took.</param>
/// <param name="Rate">Messages in a second.</param>
/// <param name="Bytes">Allocated for each message.</param>
/// <param name="Client">The processor time of this process, as a part of the time that has passed; more than 1 where several cores worked.</param>
/// <param name="Broker">The same of the broker; not a number where that is not known.</param>
internal readonly record struct Measurement(double Seconds, double Rate, double Bytes, double Client, double Broker)
{
    /// <summary>The processor time of this process for a message.</summary>
    public double Nanoseconds => Client / Rate * 1e9;

    /// <summary>Measures what works on so many messages.</summary>
    public static async Task<Measurement> OfAsync(int messages, Func<Task> run)
    {
        double broker = BrokerUse.Nanoseconds();
        GC.Collect();
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        double client = ProcessorClock.Nanoseconds();
        long start = Stopwatch.GetTimestamp();
        await run();
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        client = ProcessorClock.Nanoseconds() - client;
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
        broker = BrokerUse.Nanoseconds() - broker;
        return new Measurement(seconds, messages / seconds, (double)allocated / messages, client / 1e9 / seconds, broker / 1e9 / seconds);
    }
}

using System.Diagnostics;

namespace Actors.Trial;

/// <summary>What one message of a round took.</summary>
/// <param name="Rate">Messages a second, from the first one sent to the last one received.</param>
/// <param name="Bytes">The bytes of a message on the connection.</param>
/// <param name="SenderProcessor">The processor time of the sender, in nanoseconds.</param>
/// <param name="ReceiverProcessor">The processor time of the receiver, in nanoseconds.</param>
/// <param name="SenderAllocated">The bytes that the sender allocates, its message included.</param>
/// <param name="ReceiverAllocated">The bytes that the receiver allocates, its message included.</param>
internal sealed record Round(
    double Rate, double Bytes, double SenderProcessor, double ReceiverProcessor, double SenderAllocated, double ReceiverAllocated)
{
    public static async Task<Round> RunAsync(Cluster cluster, long messages)
    {
        Report before = await cluster.CountAsync();
        long bytes = cluster.Peer.Bytes;
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        TimeSpan processor = Environment.CpuUsage.TotalTime;
        long start = Stopwatch.GetTimestamp();
        await cluster.SendTradesAsync(messages);
        Report after = await cluster.CountAsync();
        return new Round(
            messages / Stopwatch.GetElapsedTime(start).TotalSeconds,
            (double)(cluster.Peer.Bytes - bytes) / messages,
            (Environment.CpuUsage.TotalTime - processor).TotalNanoseconds / messages,
            (after.Processor - before.Processor).TotalNanoseconds / messages,
            (double)(GC.GetTotalAllocatedBytes(precise: true) - allocated) / messages,
            (double)(after.Allocated - before.Allocated) / messages);
    }
}

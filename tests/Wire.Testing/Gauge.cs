namespace Wire.Testing;

/// <summary>What calls of an action allocate on this thread.</summary>
public sealed class Gauge(Action action)
{
    // What happens only now and then is not left out.
    private const int Calls = 10;

    // Until the runtime has compiled everything fully: code that it has not may make objects that nobody needs. It puts that off as long as
    // other tests bring new code, which can be for long; what stands as it should is not waited for.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    /// <summary>The bytes that ten calls allocate in steady state: the least of what was measured.</summary>
    public long BytesOfTenCalls { get; private set; } = long.MaxValue;

    /// <summary>Measures several gauges until they stand as they should, or it is clear that they never will.</summary>
    public static void Settle(Func<bool> areAsExpected, params ReadOnlySpan<Gauge> gauges)
    {
        long begin = Environment.TickCount64;
        do
        {
            foreach (Gauge gauge in gauges)
            {
                gauge.Measure();
            }
        }
        while (!areAsExpected() && Environment.TickCount64 - begin < Patience.TotalMilliseconds);
    }

    private void Measure()
    {
        // Each serializer keeps a session per thread, and the action before this one may have taken the place.
        action();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < Calls; i++)
        {
            action();
        }

        BytesOfTenCalls = Math.Min(BytesOfTenCalls, GC.GetAllocatedBytesForCurrentThread() - before);
    }
}

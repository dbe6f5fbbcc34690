
namespace Wire.Testing;

/// <summary>What holds of the memory that an action takes.</summary>
public static class Allocations
{
    /// <summary>In steady state the action allocates nothing; what the runtime allocates once, as it compiles, does not count.</summary>
    public static void AssertNone(Action action)
    {
        var gauge = new Gauge(action);
        Gauge.Settle(() => gauge.BytesOfTenCalls == 0, gauge);
        Assert.Equal(0, gauge.BytesOfTenCalls);
    }
}

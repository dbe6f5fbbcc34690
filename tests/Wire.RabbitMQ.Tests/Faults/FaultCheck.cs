namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>A run with what has to be so at its end.</summary>
internal static class FaultCheck
{
    public static async Task<string> RunAsync(Fault fault, FaultSettings settings)
    {
        FaultResult result = await FaultRun.RunAsync(fault, settings);
        Assert.Equal(0, result.Lost);
        Assert.Equal(0, result.Unended);
        Assert.Equal(0, result.Phantoms);
        Assert.Equal(0, result.TooManyRetries);

        // Of one that came into a delay queue twice, both copies may be handled at a time.
        Assert.True(settings.Retries > 0 || result.Unflagged == 0, $"{result.Unflagged} came again without a flag.");
        Assert.Equal(0u, result.Left);
        Assert.Equal(settings.Times, result.Times);
        Assert.Equal(settings.Messages, result.Confirmed);
        Assert.Equal(result.Published, result.Confirmed + result.Failed.Values.Sum());
        Assert.InRange(result.Peak, 1, settings.MaxConcurrency);
        Assert.InRange(result.Delivered, result.Confirmed, result.Published);
        return result.ToString();
    }
}

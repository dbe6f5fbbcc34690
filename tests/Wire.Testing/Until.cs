using Xunit;

namespace Wire.Testing;

/// <summary>Waits for what another thread does.</summary>
public static class Until
{
    /// <summary>Waits until it holds.</summary>
    /// <param name="holds">What is asked again and again.</param>
    /// <param name="what">What an error says that was waited for.</param>
    public static async Task HoldsAsync(Func<bool> holds, string what)
    {
        using var time = new CancellationTokenSource(Patience.Limit);
        while (!holds())
        {
            Assert.False(time.IsCancellationRequested, $"It has been waited in vain for {what}.");
            await Task.Delay(5);
        }
    }
}

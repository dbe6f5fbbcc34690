namespace Wire.Instructions;

/// <summary>One thing that is counted.</summary>
/// <param name="Name">What stands in the baseline.</param>
/// <param name="Times">How often it runs in the shorter of two stretches; the other is twice as long.</param>
/// <param name="Run">Does it once.</param>
internal sealed record Operation(string Name, int Times, Action Run)
{
    /// <summary>Does it a number of times.</summary>
    public void Repeat(int times)
    {
        for (int i = 0; i < times; i++)
        {
            Run();
        }
    }
}

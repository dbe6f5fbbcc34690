namespace Wire.Testing;

/// <summary>
/// Trials of every byte, cut, option or pair, of which the usual run makes the same sample each time, and <c>./test.sh --long</c> all.
/// </summary>
public static class Sweep
{
    /// <summary>Whether all trials are made.</summary>
    public static bool IsWhole { get; } = Repository.IsAskedFor("WIRE_TEST_LONG");

    /// <summary>Returns whether a trial is one of the sample.</summary>
    /// <param name="trial">Its number.</param>
    /// <param name="among">One of how many is, evenly and without a period.</param>
    public static bool Takes(int trial, int among) => IsWhole || Scatter((uint)trial) % (uint)among == 0;

    /// <summary>Those of a sequence that are of the sample.</summary>
    /// <param name="all">All of them.</param>
    /// <param name="among">One of how many is.</param>
    /// <param name="seed">Which sample: sweeps that differ in it try other trials.</param>
    public static IEnumerable<T> Sample<T>(this IEnumerable<T> all, int among, int seed = 0) =>
        all.Where((_, i) => Takes(unchecked(i + (seed * 7919)), among));

    // The mixing of a hash: neighbours have nothing in common.
    private static uint Scatter(uint number)
    {
        number = (number ^ (number >> 16)) * 0x7FEB352D;
        number = (number ^ (number >> 15)) * 0x846CA68B;
        return number ^ (number >> 16);
    }
}

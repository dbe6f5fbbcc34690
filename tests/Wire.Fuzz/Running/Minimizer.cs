using System.Diagnostics;

namespace Wire.Fuzz.Running;

/// <summary>Makes an input as short and as plain as it can be while it still does what it did.</summary>
internal static class Minimizer
{
    /// <summary>
    /// Removes ever smaller parts, then makes bytes 0, as long as <paramref name="isSame"/> says that nothing else has changed.
    /// </summary>
    public static byte[] Minimize(byte[] input, Func<byte[], bool> isSame, TimeSpan budget)
    {
        long start = Stopwatch.GetTimestamp();
        byte[] best = input;
        for (bool isShorter = true; isShorter;)
        {
            isShorter = false;
            for (int size = Math.Max(1, best.Length / 2); size > 0; size /= 2)
            {
                for (int at = best.Length - size; at >= 0; at = Math.Min(at, best.Length) - size)
                {
                    if (Stopwatch.GetElapsedTime(start) > budget)
                    {
                        return best;
                    }

                    byte[] shorter = [.. best[..at], .. best[(at + size)..]];
                    if (isSame(shorter))
                    {
                        best = shorter;
                        isShorter = true;
                    }
                }
            }
        }

        for (int i = 0; i < best.Length && Stopwatch.GetElapsedTime(start) <= budget; i++)
        {
            byte[] plainer = [.. best];
            plainer[i] = 0;
            best = best[i] != 0 && isSame(plainer) ? plainer : best;
        }

        return best;
    }
}

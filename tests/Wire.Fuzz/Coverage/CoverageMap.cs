using System.Reflection;
using System.Runtime.InteropServices;

namespace Wire.Fuzz.Coverage;

/// <summary>
/// Which blocks of the instrumented assemblies have been entered, and how often at once: an input is worth keeping when it enters
/// a new one, or one so often as none before it. Without instrumented assemblies nothing is new.
/// </summary>
/// <param name="assemblies">The assemblies, with how many blocks each has.</param>
/// <param name="seen">What has been seen of them, one behind the other: a bit for each range of counts.</param>
internal sealed class CoverageMap(IReadOnlyList<(Assembly Assembly, int Blocks)> assemblies, Memory<byte> seen)
{
    private delegate ref byte First();

    // Counts that differ by a little mean the same: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, more.
    private static readonly byte[] Ranges = [.. Enumerable.Range(0, 256).Select(count => (byte)(count switch
    {
        0 => 0,
        <= 3 => 1 << (count - 1),
        < 8 => 1 << 3,
        < 16 => 1 << 4,
        < 32 => 1 << 5,
        < 128 => 1 << 6,
        _ => 1 << 7,
    }))];

    private readonly (First First, int Blocks)[] _cells =
    [
        .. assemblies.Select(a => (
            a.Assembly.GetType(Instrumenter.CellsType, throwOnError: true)!.GetMethod(Instrumenter.FirstMethod)!.CreateDelegate<First>(),
            a.Blocks)),
    ];

    /// <summary>Forgets what was counted since the last time.</summary>
    public void Clear()
    {
        foreach ((First first, int blocks) in _cells)
        {
            MemoryMarshal.CreateSpan(ref first(), blocks).Clear();
        }
    }

    /// <summary>Adds what was counted since the last time to what has been seen, and forgets it.</summary>
    /// <returns>Whether there was anything new.</returns>
    public bool Merge()
    {
        bool isNew = false;
        Span<byte> all = seen.Span;
        foreach ((First first, int blocks) in _cells)
        {
            Span<byte> cells = MemoryMarshal.CreateSpan(ref first(), blocks);
            isNew |= Merge(cells, all);
            cells.Clear();
            all = all[blocks..];
        }

        return isNew;
    }

    private static bool Merge(Span<byte> cells, Span<byte> seen)
    {
        bool isNew = false;
        while (true)
        {
            // Most blocks were not entered: the search for others is vectorized.
            int next = cells.IndexOfAnyExcept((byte)0);
            if (next < 0)
            {
                return isNew;
            }

            byte range = Ranges[cells[next]];
            isNew |= (seen[next] & range) == 0;
            seen[next] |= range;
            cells = cells[(next + 1)..];
            seen = seen[(next + 1)..];
        }
    }
}

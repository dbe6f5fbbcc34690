using Wire.Transport.Pending;

namespace Wire.Transport.Tests.Pending;

/// <summary>What the broker knows of deliveries: it closes the channel when it is told of what it does not wait to be told of.</summary>
internal sealed class AckLedger
{
    /// <summary>Of which it waits to be told.</summary>
    public SortedSet<ulong> Unacknowledged { get; } = [];

    /// <summary>How they have ended.</summary>
    public Dictionary<ulong, Settlement> Ended { get; } = [];

    /// <summary>It is told.</summary>
    /// <returns>Of how many deliveries.</returns>
    public int Hear(IEnumerable<AckCommand> notices)
    {
        int count = 0;
        foreach (AckCommand notice in notices)
        {
            Assert.Contains(notice.Tag, Unacknowledged);
            ulong[] meant = notice.Multiple ? [.. Unacknowledged.TakeWhile(tag => tag <= notice.Tag)] : [notice.Tag];
            foreach (ulong tag in meant)
            {
                Assert.Equal(notice.Settlement, Ended[tag]);
                Unacknowledged.Remove(tag);
            }

            count += meant.Length;
        }

        return count;
    }
}

namespace Wire.Transport.Pending;

/// <summary>
/// Finds entries of a <see cref="ConfirmRing{T}"/> by a key, the oldest first. It costs nothing until it is used, and then visits each
/// entry once. Not thread-safe.
/// </summary>
/// <param name="ring">The ring of the entries.</param>
/// <param name="keyOf">The key of an entry; null for entries that are not searched for.</param>
internal sealed class ConfirmIndex<T, TKey>(ConfirmRing<T> ring, Func<T, TKey?> keyOf)
    where T : Queued, ISized
    where TKey : struct, IEquatable<TKey>
{
    // The number of obsolete numbers that are kept before they are removed.
    private const int Slack = 64;

    // The oldest and the latest number with a key, and behind each number the next one with the same.
    private readonly Dictionary<TKey, (ulong First, ulong Last)> _numbers = [];
    private readonly Dictionary<ulong, ulong> _following = [];
    private ulong _next;
    private int _takenBack;

    /// <summary>Removes the oldest entry with a key from the index, and leaves it in the ring; null when there is none.</summary>
    public T? Remove(TKey key)
    {
        Extend();
        while (_numbers.TryGetValue(key, out (ulong First, ulong Last) chain))
        {
            if (_following.Remove(chain.First, out ulong following))
            {
                _numbers[key] = (following, chain.Last);
            }
            else
            {
                _numbers.Remove(key);
            }

            if (ring.Find(chain.First) is { } found && keyOf(found) is { } its && its.Equals(key))
            {
                return found;
            }
        }

        return null;
    }

    // Updated by the additions, or rebuilt: after most entries have gone, or a number has been reused.
    private void Extend()
    {
        if (_takenBack != ring.TakenBack || _numbers.Count + _following.Count > (2 * ring.Count) + Slack)
        {
            _numbers.Clear();
            _following.Clear();
            _takenBack = ring.TakenBack;
            _next = 0;
        }

        for (_next = Math.Max(_next, ring.First); _next < ring.Next; _next++)
        {
            if (ring.Find(_next) is not { } operation || keyOf(operation) is not { } key)
            {
                continue;
            }

            if (_numbers.TryGetValue(key, out (ulong First, ulong Last) chain))
            {
                _following[chain.Last] = _next;
                _numbers[key] = (chain.First, _next);
            }
            else
            {
                _numbers[key] = (_next, _next);
            }
        }
    }
}

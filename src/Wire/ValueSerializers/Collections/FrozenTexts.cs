using System.Runtime.CompilerServices;

namespace Wire.ValueSerializers.Collections;

/// <summary>
/// Estimates .NET's work on the strings of a frozen collection: it searches for the shortest substring, of up to eight characters at one
/// position, by which nearly all strings differ, and puts the substrings of each position into a hash set. These sets hash without a
/// secret.
/// </summary>
internal static class FrozenTexts
{
    private const int MaxPart = 8;

    /// <summary>Counts the collisions beyond the allowance that the substrings would have in these sets.</summary>
    /// <param name="keys">The strings.</param>
    /// <param name="comparer">The comparer of the collection.</param>
    /// <param name="enough">The count at which counting stops.</param>
    public static long Collisions(string[] keys, IEqualityComparer<string> comparer, long enough)
    {
        bool ignoresCase = comparer.Equals(StringComparer.OrdinalIgnoreCase);
        if (!ignoresCase && !comparer.Equals(StringComparer.Ordinal) && !comparer.Equals(EqualityComparer<string>.Default))
        {
            return 0;
        }

        var parts = new Parts(keys, ignoresCase);
        int shortest = keys.Min(key => key.Length);
        bool bothEnds = keys.Max(key => key.Length) != shortest;
        long collisions = 0;
        for (int length = 1; length <= Math.Min(shortest, MaxPart); length++)
        {
            for (int end = 0; end < (bothEnds ? 2 : 1); end++)
            {
                for (int at = 0; at <= shortest - length; at++)
                {
                    collisions += parts.Collisions(at, length, fromEnd: end == 1, out bool differ);
                    if (differ || collisions > enough)
                    {
                        return collisions;
                    }
                }
            }
        }

        return collisions + parts.Collisions(0, 0, fromEnd: false, out _);
    }

    /// <summary>The substrings at one position.</summary>
    private sealed class Parts
    {
        // The share of substrings that may occur more than once.
        private const int Repeated = 20;

        private readonly string[] _keys;
        private readonly bool _ignoresCase;
        private readonly int[] _chains;
        private readonly HashSet<int> _seen;

        public Parts(string[] keys, bool ignoresCase)
        {
            _keys = keys;
            _ignoresCase = ignoresCase;
            _chains = new int[TableSizes.AtLeast(keys.Length)];
            _seen = new(keys.Length);
        }

        /// <summary>Counts the collisions of parts beyond the allowance before the search continues elsewhere.</summary>
        /// <param name="at">The beginning of the substrings, or the distance of their end from the end of the string.</param>
        /// <param name="length">Their length; 0 is all of each string.</param>
        /// <param name="fromEnd">True if they are counted from the end.</param>
        /// <param name="differ">True if nearly all differ.</param>
        public long Collisions(int at, int length, bool fromEnd, out bool differ)
        {
            Array.Clear(_chains);
            _seen.Clear();
            long collisions = 0;
            int repeated = _keys.Length / Repeated;
            foreach (string key in _keys)
            {
                ReadOnlySpan<char> part = length == 0 ? key : key.AsSpan(fromEnd ? key.Length - at - length : at, length);
                int chain = (int)((uint)(_ignoresCase ? GetHashCodeOrdinalIgnoreCase(null, part) : GetHashCodeOrdinal(null, part))
                    % (uint)_chains.Length);

                // A repeated substring is found in its chain. Substrings are compared by hash codes that an attacker cannot choose.
                collisions += _chains[chain] - Collections.Collisions.Allowance;
                if (_seen.Add(string.GetHashCode(part, _ignoresCase ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal)))
                {
                    _chains[chain]++;
                }
                else if (--repeated < 0)
                {
                    differ = false;
                    return Math.Max(0, collisions);
                }
            }

            differ = true;
            return Math.Max(0, collisions);
        }
    }

    [UnsafeAccessor(UnsafeAccessorKind.StaticMethod, Name = nameof(GetHashCodeOrdinal))]
    private static extern int GetHashCodeOrdinal(
        [UnsafeAccessorType("System.Collections.Frozen.Hashing, System.Collections.Immutable")] object? hashing, ReadOnlySpan<char> text);

    [UnsafeAccessor(UnsafeAccessorKind.StaticMethod, Name = nameof(GetHashCodeOrdinalIgnoreCase))]
    private static extern int GetHashCodeOrdinalIgnoreCase(
        [UnsafeAccessorType("System.Collections.Frozen.Hashing, System.Collections.Immutable")] object? hashing, ReadOnlySpan<char> text);
}

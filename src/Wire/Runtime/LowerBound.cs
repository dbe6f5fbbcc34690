namespace Wire.Runtime;

/// <summary>Looks for places in what is in order.</summary>
internal static class LowerBound
{
    /// <summary>Finds the first item whose key is not less than one; the number of items where there is none.</summary>
    public static int Find<TItems, TKey>(TItems items, int count, TKey key, Func<TItems, int, TKey> keyOf)
        where TKey : IComparable<TKey>
    {
        int low = 0;
        int high = count;
        while (low < high)
        {
            int middle = (low + high) >>> 1;
            (low, high) = keyOf(items, middle).CompareTo(key) < 0 ? (middle + 1, high) : (low, middle);
        }

        return low;
    }
}

namespace Wire.Tool.Measuring;

/// <summary>Sums by key, of which a bounded number is kept: where there are more, the smallest half becomes one row.</summary>
/// <typeparam name="TKey">The key.</typeparam>
/// <param name="most">The number of rows.</param>
internal sealed class BoundedTable<TKey>(int most)
    where TKey : notnull
{
    private readonly Dictionary<TKey, Sum> _rows = [];

    /// <summary>Gets what is in no row.</summary>
    public Sum Others { get; } = new();

    /// <summary>Gets the rows, those with the most bytes first.</summary>
    public IEnumerable<KeyValuePair<TKey, Sum>> Rows => _rows.OrderByDescending(row => row.Value.Bytes);

    /// <summary>Adds to a row.</summary>
    public void Add(TKey key, long bytes, long count = 1)
    {
        if (!_rows.TryGetValue(key, out Sum? sum))
        {
            if (_rows.Count == most)
            {
                Shrink();
            }

            _rows.Add(key, sum = new Sum());
        }

        sum.Add(bytes, count);
    }

    private void Shrink()
    {
        foreach ((TKey key, Sum sum) in _rows.OrderBy(row => row.Value.Bytes).Take((most / 2) + 1).ToArray())
        {
            Others.Add(sum.Bytes, sum.Count);
            _rows.Remove(key);
        }
    }
}

/// <summary>A number of values and of their bytes.</summary>
internal sealed class Sum
{
    public long Bytes { get; private set; }

    public long Count { get; private set; }

    public void Add(long bytes, long count)
    {
        Bytes += bytes;
        Count += count;
    }
}

namespace Wire.Transport.Threads;

/// <summary>
/// Objects to be used again, rented on one thread and returned on another; at most a fixed number is kept. Thread-safe.
/// </summary>
internal sealed class BoundedPool<T>
    where T : class
{
    private const int InitialCapacity = 16;
    private const int Limit = 8192;

    private readonly Lock _gate = new();
    private T?[] _kept = new T?[InitialCapacity];
    private int _count;

    public T? TryTake()
    {
        lock (_gate)
        {
            if (_count == 0)
            {
                return null;
            }

            T? item = _kept[--_count];
            _kept[_count] = null;
            return item;
        }
    }

    public void PutBack(T item)
    {
        lock (_gate)
        {
            if (_count == Limit)
            {
                return;
            }

            if (_count == _kept.Length)
            {
                Array.Resize(ref _kept, _count * 2);
            }

            _kept[_count++] = item;
        }
    }
}

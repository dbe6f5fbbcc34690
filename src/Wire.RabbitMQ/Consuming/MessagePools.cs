namespace Wire.RabbitMQ.Consuming;

/// <summary>The pools of objects that messages are read into, by their types. Nothing is added after the first message.</summary>
internal sealed class MessagePools
{
    private readonly Dictionary<Type, (Func<object> Rent, Action<object> Return)> _pools = [];

    /// <summary>Adds a pool; false where there is one for the type.</summary>
    public bool TryAdd<T>(Func<T> rent, Action<T> giveBack)
        where T : class => _pools.TryAdd(typeof(T), (rent, message => giveBack((T)message)));

    /// <summary>Begins with a message; null where there are no pools.</summary>
    public Loan? Begin() => _pools.Count == 0 ? null : new Loan(this);

    /// <summary>What one message has of the pools, until its handler has ended.</summary>
    internal sealed class Loan(MessagePools pools)
    {
        private (Func<object> Rent, Action<object> Return) _pool;
        private object? _object;

        /// <summary>Takes an object for a message of a type; null where none is pooled.</summary>
        public object? Take(Type type) => pools._pools.TryGetValue(type, out _pool) ? _object = _pool.Rent() : null;

        /// <summary>Gives it back.</summary>
        public void End()
        {
            if (_object is { } taken)
            {
                _object = null;
                _pool.Return(taken);
            }
        }
    }
}

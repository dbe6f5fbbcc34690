using Microsoft.Extensions.Logging;

namespace Wire.RabbitMQ.Consuming;

/// <summary>The pools of objects that messages are read into, by their types. Nothing is added after the first message.</summary>
internal sealed class MessagePools
{
    private readonly Dictionary<Type, (Func<object> Rent, Action<object> Return)> _pools = [];

    /// <summary>Adds a pool; false where there is one for the type.</summary>
    public bool TryAdd<T>(Func<T> rent, Action<T> giveBack)
        where T : class => _pools.TryAdd(typeof(T), (rent, message => giveBack((T)message)));

    /// <summary>Begins with a message; null where there are no pools.</summary>
    /// <param name="queue">The queue that it comes from.</param>
    /// <param name="logger">Where to log what pools throw.</param>
    public Loan? Begin(string queue, ILogger logger) => _pools.Count == 0 ? null : new Loan(this, queue, logger);

    /// <summary>The object that one message has of a pool, until its handler has ended. What pools throw costs no message.</summary>
    internal sealed class Loan(MessagePools pools, string queue, ILogger logger)
    {
        private (Func<object> Rent, Action<object> Return) _pool;
        private object? _object;

        /// <summary>Takes an object for a message of a type; null where none is pooled.</summary>
        public object? Take(Type type)
        {
            try
            {
                return pools._pools.TryGetValue(type, out _pool) ? _object = _pool.Rent() : null;
            }
            catch (Exception e)
            {
                ConsumerLog.PoolFailed(logger, queue, type, e);
                return null;
            }
        }

        /// <summary>Gives it back.</summary>
        public void End()
        {
            if (_object is not { } taken)
            {
                return;
            }

            _object = null;
            try
            {
                _pool.Return(taken);
            }
            catch (Exception e)
            {
                ConsumerLog.PoolFailed(logger, queue, taken.GetType(), e);
            }
        }

        /// <summary>Leaves it to whoever still has it.</summary>
        public void Forget() => _object = null;
    }
}

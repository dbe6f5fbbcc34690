using Wire.Format;

namespace Wire.Types;

/// <summary>
/// The budget of a serializer for compiling foreign schemas: some at once, for earlier versions of the program's types, and then one from
/// time to time, for later ones. Until then a schema is read by reflection. Thread-safe.
/// </summary>
/// <param name="compilesAtAll">True if code is compiled at all; otherwise there is no budget.</param>
/// <param name="clock">The clock for further compilations.</param>
internal sealed class ForeignCompilations(bool compilesAtAll, TimeProvider clock)
{
    private const int AtOnce = 256;

    private static readonly TimeSpan Refill = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private long _lastRefill = clock.GetTimestamp();
    private int _left = AtOnce;

    /// <summary>Gets whether code is compiled at all.</summary>
    public bool CompilesAtAll => compilesAtAll;

    /// <summary>
    /// Returns the number of bytes to read by reflection before compiling a schema: reading them takes about as long as compiling.
    /// </summary>
    public static long PriceOf(Shape schema) => 1024L * schema.Parts;

    /// <summary>Takes one compilation; false when there is none now.</summary>
    public bool TryTake()
    {
        lock (_lock)
        {
            long seconds = clock.GetElapsedTime(_lastRefill).Ticks / Refill.Ticks;
            if (seconds > 0)
            {
                _left = (int)Math.Min(_left + seconds, AtOnce);
                _lastRefill = clock.GetTimestamp();
            }

            return _left > 0 && _left-- > 0;
        }
    }
}

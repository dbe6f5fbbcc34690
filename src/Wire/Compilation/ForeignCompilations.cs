using Wire.Format;

namespace Wire.Compilation;

/// <summary>
/// Decides what a serializer compiles for schemas that are not the program's own: some at once, for all the versions that a program's types
/// have had, and then one from time to time, for those to come. Until its turn comes a schema is read by reflection. Thread-safe.
/// </summary>
/// <param name="compilesAtAll">Whether code is compiled at all; without, there is nothing to save.</param>
/// <param name="clock">Says when the next one may be compiled.</param>
internal sealed class ForeignCompilations(bool compilesAtAll, TimeProvider clock)
{
    private const int AtOnce = 256;

    private static readonly TimeSpan Refill = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private long _lastRefill = clock.GetTimestamp();
    private int _left = AtOnce;

    /// <summary>Says whether code is compiled at all.</summary>
    public bool CompilesAtAll => compilesAtAll;

    /// <summary>
    /// Returns the number of bytes that have to be read by reflection before the code for a schema is worth compiling: reflection has then
    /// taken about as long as the compiler takes.
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

namespace Wire.Transport.Sockets;

/// <summary>
/// Looks for bytes for a while before a thread sleeps until they come: to be woken takes longer than an answer that is near. Where none is,
/// it looks ever more rarely. Not thread-safe.
/// </summary>
/// <param name="longest">How long it looks; zero for never. With a single processor the other side could not answer meanwhile.</param>
/// <param name="time">Tells how long it has looked; the system's when left out.</param>
internal sealed class ReceiveSpin(TimeSpan longest, TimeProvider? time = null)
{
    // After so many misses in a row, twice as many answers are not looked for, up to this power of two.
    private const int MostMisses = 10;

    private readonly bool _isOn = longest > TimeSpan.Zero && Environment.ProcessorCount > 1;
    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private int _misses;
    private int _skips;

    /// <summary>Looks, unless that was in vain the last times.</summary>
    /// <param name="hasCome">Whether there are bytes; does not wait.</param>
    public void Spin(Func<bool> hasCome)
    {
        if (!_isOn || _skips > 0)
        {
            _skips -= _isOn ? 1 : 0;
            return;
        }

        long began = _time.GetTimestamp();
        do
        {
            if (hasCome())
            {
                _misses = 0;
                return;
            }

            // The other side may be a process of this machine, which has no processor else.
            Thread.Yield();
        }
        while (_time.GetElapsedTime(began) < longest);

        _misses = Math.Min(_misses + 1, MostMisses);
        _skips = (1 << _misses) - 1;
    }
}

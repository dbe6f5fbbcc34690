using Wire.Transport.Sockets;

namespace Wire.Transport.Tests;

/// <summary>How long, and how often, bytes are looked for before a thread sleeps.</summary>
public sealed class ReceiveSpinTests
{
    private static readonly TimeSpan Longest = TimeSpan.FromMicroseconds(200);
    private static readonly TimeSpan Look = TimeSpan.FromMicroseconds(10);

    private readonly StoppedTime _time = new();
    private int _looks;

    [Fact]
    public void It_ends_as_soon_as_bytes_are_there()
    {
        var spin = new ReceiveSpin(Longest, _time);
        for (int i = 1; i <= 100; i++)
        {
            _looks = 0;
            spin.Spin(() => ++_looks == 5);
            Assert.Equal(5, _looks);
        }
    }

    [Fact]
    public void It_ends_with_its_time_and_where_nothing_comes_looks_ever_more_rarely_until_something_does()
    {
        var spin = new ReceiveSpin(Longest, _time);
        Assert.Equal(Longest / Look, LooksOf(spin));
        foreach (int skipped in (int[])[1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 1023])
        {
            for (int i = 0; i < skipped; i++)
            {
                Assert.Equal(0, LooksOf(spin));
            }

            Assert.Equal(Longest / Look, LooksOf(spin));
        }

        for (int i = 0; i < 1023; i++)
        {
            Assert.Equal(0, LooksOf(spin));
        }

        spin.Spin(() => true);
        Assert.Equal(Longest / Look, LooksOf(spin));
        Assert.Equal(0, LooksOf(spin));
        Assert.Equal(Longest / Look, LooksOf(spin));
    }

    [Fact]
    public void With_no_time_it_never_looks() => new ReceiveSpin(TimeSpan.Zero, _time).Spin(() => throw new InvalidOperationException());

    private double LooksOf(ReceiveSpin spin)
    {
        _looks = 0;
        spin.Spin(() =>
        {
            _looks++;
            _time.Pass(Look);
            return false;
        });
        return _looks;
    }
}

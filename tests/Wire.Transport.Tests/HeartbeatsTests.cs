using Wire.Testing;
using Wire.Transport.Sockets;

namespace Wire.Transport.Tests;

public sealed class HeartbeatsTests
{
    private readonly HandTime _time = new();
    private int _wanted;
    private int _lost;

    [Fact]
    public void A_heartbeat_is_wanted_when_nothing_was_sent_for_half_the_interval()
    {
        using Heartbeats heartbeats = Begin();
        heartbeats.Sent();
        Pass(quarters: 1);
        Assert.Equal(0, _wanted);
        Pass(quarters: 1);
        Assert.Equal(1, _wanted);
    }

    [Fact]
    public void Who_sends_all_the_time_sends_no_heartbeats()
    {
        using Heartbeats heartbeats = Begin();
        for (int i = 0; i < 40; i++)
        {
            heartbeats.Sent();
            heartbeats.Received();
            Pass(quarters: 1);
        }

        Assert.Equal((0, 0), (_wanted, _lost));
    }

    [Fact]
    public void A_link_is_lost_once_when_nothing_was_received_for_two_intervals()
    {
        using Heartbeats heartbeats = Begin();
        heartbeats.Received();
        Pass(quarters: 8);
        Assert.Equal(0, _lost);
        Pass(quarters: 1);
        Assert.Equal(1, _lost);
        Pass(quarters: 20);
        Assert.Equal(1, _lost);
        Assert.Equal(0, _time.Timers);
    }

    [Fact]
    public void One_byte_every_other_interval_keeps_a_link()
    {
        using Heartbeats heartbeats = Begin();
        for (int i = 0; i < 10; i++)
        {
            heartbeats.Received();
            Pass(quarters: 8);
        }

        Assert.Equal(0, _lost);
    }

    [Fact]
    public void What_was_disposed_of_watches_no_more()
    {
        Begin().Dispose();
        Pass(quarters: 20);
        Assert.Equal((0, 0), (_wanted, _lost));
    }

    [Fact]
    public void Telling_of_sends_and_receives_allocates_nothing()
    {
        using Heartbeats heartbeats = Begin();
        Allocations.AssertNone(() =>
        {
            heartbeats.Sent();
            heartbeats.Received();
            Pass(quarters: 1);
        });
    }

    private Heartbeats Begin() => new(TimeSpan.FromSeconds(60), () => _wanted++, () => _lost++, _time);

    private void Pass(int quarters)
    {
        for (int i = 0; i < quarters; i++)
        {
            _time.Pass(TimeSpan.FromSeconds(15));
        }
    }

    /// <summary>A time that passes when the test says so, for timers whose periods do not change.</summary>
    private sealed class HandTime : TimeProvider
    {
        private readonly List<HandTimer> _timers = [];

        public int Timers => _timers.Count;

        public void Pass(TimeSpan time)
        {
            for (int i = _timers.Count - 1; i >= 0; i--)
            {
                _timers[i].Pass(time);
            }
        }

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            Assert.Equal(dueTime, period);
            var timer = new HandTimer(this, () => callback(state), period);
            _timers.Add(timer);
            return timer;
        }

        private sealed class HandTimer(HandTime owner, Action call, TimeSpan period) : ITimer
        {
            private TimeSpan _passed;

            public void Pass(TimeSpan time)
            {
                for (_passed += time; _passed >= period; _passed -= period)
                {
                    call();
                }
            }

            public bool Change(TimeSpan dueTime, TimeSpan period) => throw new NotSupportedException();

            public void Dispose() => owner._timers.Remove(this);

            public ValueTask DisposeAsync()
            {
                Dispose();
                return default;
            }
        }
    }
}

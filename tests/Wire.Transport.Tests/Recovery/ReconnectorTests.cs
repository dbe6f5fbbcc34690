using Wire.Testing;
using Wire.Transport.Recovery;
using Xunit;

namespace Wire.Transport.Tests.Recovery;

/// <summary>When the next attempt is made, and whether there is one.</summary>
public sealed class ReconnectorTests
{
    private static readonly TimeSpan First = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(1);
    private readonly JumpingTime _time = new();
    private readonly List<(int Number, Exception? Error)> _told = [];

    [Fact]
    public async Task Pauses_double_up_to_the_longest_and_are_of_half_to_all_of_that()
    {
        await RunAsync(New(), failures: 7);
        double[] most = [0.1, 0.2, 0.4, 0.8, 1, 1, 1];
        Assert.Equal(most.Length, _time.Pauses.Count);
        Assert.All(most.Zip(_time.Pauses), pair => Assert.InRange(pair.Second.TotalSeconds, pair.First / 2, pair.First));
        Assert.True(_time.Pauses.Zip(most, (pause, all) => pause.TotalSeconds / all).Distinct().Count() > 1);
    }

    [Fact]
    public async Task Each_attempt_is_told_with_its_number_and_outcome()
    {
        var error = new IOException("down");
        int made = 0;
        string got = await New().RunAsync(
            _ => ++made switch
            {
                1 => throw error,
                2 => Task.FromResult<string?>(null),
                _ => Task.FromResult<string?>("there"),
            },
            e => e is IOException,
            (number, e) => _told.Add((number, e)),
            CancellationToken.None);
        Assert.Equal("there", got);
        Assert.Equal([(1, error), (3, null)], _told);
        Assert.Equal(2, _time.Pauses.Count);
    }

    [Fact]
    public async Task What_no_attempt_overcomes_goes_to_the_caller_at_once()
    {
        var final = new NotSupportedException();
        Assert.Same(final, await Assert.ThrowsAsync<NotSupportedException>(
            () => New().RunAsync(_ => throw final, e => e is IOException, null, CancellationToken.None)));
        Assert.Empty(_time.Pauses);
    }

    [Fact]
    public async Task Without_a_loss_the_first_attempt_is_made_at_once()
    {
        await RunAsync(New(), failures: 0);
        Assert.Empty(_time.Pauses);
    }

    [Fact]
    public async Task What_was_lost_as_soon_as_it_came_is_not_called_without_a_pause()
    {
        Reconnector reconnector = New();
        reconnector.StartClock();
        for (int i = 0; i < 4; i++)
        {
            await RunAsync(reconnector, failures: 0);
        }

        double[] most = [0.1, 0.2, 0.4, 0.8];
        Assert.All(most.Zip(_time.Pauses), pair => Assert.InRange(pair.Second.TotalSeconds, pair.First / 2, pair.First));
        Assert.Equal(most.Length, _time.Pauses.Count);
    }

    [Fact]
    public async Task What_has_lasted_as_long_as_the_longest_pause_is_called_at_once_and_pauses_begin_anew()
    {
        Reconnector reconnector = New();
        await RunAsync(reconnector, failures: 5);
        Assert.Equal(Longest, reconnector.Pause);
        _time.Pauses.Clear();
        _time.Pass(Longest);
        await RunAsync(reconnector, failures: 1);
        Assert.InRange(Assert.Single(_time.Pauses), First / 2, First);
    }

    [Fact]
    public async Task What_lasts_a_little_longer_than_the_first_pause_each_time_is_called_at_once_only_at_first()
    {
        Reconnector reconnector = New();
        reconnector.StartClock();
        for (int i = 0; i < 5; i++)
        {
            _time.Pass(First * 1.2);
            await RunAsync(reconnector, failures: 0);
        }

        double[] most = [0.2, 0.4, 0.8, 1];
        Assert.Equal(most.Length, _time.Pauses.Count);
        Assert.All(most.Zip(_time.Pauses), pair => Assert.InRange(pair.Second.TotalSeconds, pair.First / 2, pair.First));
    }

    [Fact]
    public async Task It_gives_up_where_the_next_pause_would_go_beyond_the_limit()
    {
        var error = new IOException("down");
        var reconnector = new Reconnector(First, Longest, TimeSpan.FromSeconds(30), _time);
        var timeout = await Assert.ThrowsAsync<TimeoutException>(
            () => reconnector.RunAsync(_ => throw error, _ => true, (number, e) => _told.Add((number, e)), CancellationToken.None));
        Assert.Same(error, timeout.InnerException);
        Assert.Contains($"{_told.Count} attempts", timeout.Message, StringComparison.Ordinal);
        TimeSpan all = _time.Pauses.Aggregate(TimeSpan.Zero, (sum, pause) => sum + pause);
        Assert.InRange(all, TimeSpan.FromSeconds(29), TimeSpan.FromSeconds(30));
    }

    [Fact]
    public async Task An_attempt_that_does_not_end_is_ended_by_the_limit()
    {
        var reconnector = new Reconnector(First, Longest, TimeSpan.FromMilliseconds(50));
        Task<TimeoutException> timeout =
            Assert.ThrowsAsync<TimeoutException>(() => reconnector.RunAsync(EndlessAsync, _ => false, null, CancellationToken.None));
        Assert.IsAssignableFrom<OperationCanceledException>((await timeout.InTime()).InnerException);
    }

    [Fact]
    public async Task It_ends_with_its_token_in_an_attempt_and_in_a_pause()
    {
        using var during = new CancellationTokenSource();
        Task attempt = New().RunAsync(EndlessAsync, _ => true, (number, e) => _told.Add((number, e)), during.Token);
        await during.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => attempt.InTime());

        using var between = new CancellationTokenSource();
        var slow = new Reconnector(TimeSpan.FromDays(1), TimeSpan.FromDays(1));
        Task pause = slow.RunAsync(_ => Task.FromResult(false), _ => true, null, between.Token);
        await between.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => pause.InTime());
        Assert.Empty(_told);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task An_attempt_that_fails_by_itself_when_the_token_has_fired_ends_it_as_the_token_does(bool isPassing)
    {
        using var ended = new CancellationTokenSource();
        var error = new IOException("down");
        Task run = New().RunAsync(
            token => FailedWhenEndedAsync(error, token),
            _ => isPassing,
            (number, e) => _told.Add((number, e)),
            ended.Token);
        await ended.CancelAsync();
        Exception thrown = await Assert.ThrowsAnyAsync<Exception>(() => run.InTime());
        if (isPassing)
        {
            Assert.Equal(ended.Token, Assert.IsType<OperationCanceledException>(thrown).CancellationToken);
            Assert.Same(error, thrown.InnerException);
        }
        else
        {
            Assert.Same(error, thrown);
        }

        Assert.Empty(_told);
    }

    [Fact]
    public async Task What_no_attempt_overcomes_is_said_also_when_the_limit_is_reached()
    {
        var reconnector = new Reconnector(First, Longest, TimeSpan.FromMilliseconds(50));
        var error = new InvalidOperationException("refused");
        Task run = reconnector.RunAsync(
            token => FailedWhenEndedAsync(error, token),
            _ => false,
            null,
            CancellationToken.None);
        Assert.Same(error, await Assert.ThrowsAsync<InvalidOperationException>(() => run.InTime()));
    }

    [Fact]
    public async Task An_attempt_that_gives_nothing_when_the_token_has_fired_ends_it_as_the_token_does()
    {
        using var ended = new CancellationTokenSource();
        Task run = New().RunAsync(
            _ =>
            {
                ended.Cancel();
                return Task.FromResult(false);
            },
            _ => true,
            null,
            ended.Token);
        Assert.Equal(ended.Token, (await Assert.ThrowsAnyAsync<OperationCanceledException>(() => run.InTime())).CancellationToken);
    }

    [Fact]
    public async Task What_an_attempt_failed_by_says_more_than_that_the_limit_ended_the_next_one()
    {
        var reconnector = new Reconnector(TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(200));
        var error = new IOException("down");
        int made = 0;
        Task run = reconnector.RunAsync(
            token => ++made == 1 ? throw error : EndlessAsync(token),
            _ => true,
            (number, e) => _told.Add((number, e)),
            CancellationToken.None);
        Assert.Same(error, (await Assert.ThrowsAsync<TimeoutException>(() => run.InTime())).InnerException);
        Assert.IsAssignableFrom<OperationCanceledException>(_told[^1].Error);
    }

    [Fact]
    public async Task A_limit_without_an_end_is_none()
    {
        await RunAsync(new Reconnector(First, Longest, Timeout.InfiniteTimeSpan, _time), failures: 7);
        Assert.Equal(7, _time.Pauses.Count);
    }

    [Fact]
    public async Task What_has_lasted_just_as_long_as_the_next_pause_is_called_at_once()
    {
        Reconnector reconnector = New();
        reconnector.StartClock();
        _time.Pass(First);
        await RunAsync(reconnector, failures: 0);
        Assert.Empty(_time.Pauses);
        Assert.Equal(First * 2, reconnector.Pause);
    }

    [Fact]
    public async Task So_many_refusals_in_a_row_end_it_and_another_failure_in_between_begins_a_new_row()
    {
        var options = new RecoveryOptions
        {
            FirstPause = TimeSpan.FromMilliseconds(1),
            LongestPause = TimeSpan.FromMilliseconds(1),
            MaxRefusals = 3,
        };
        var reconnector = new Reconnector(options, e => e is UnauthorizedAccessException);
        Exception[] failures = [Refused(), Refused(), new IOException("down"), Refused(), Refused(), Refused(), Refused()];
        for (int run = 0; run < 2; run++)
        {
            _told.Clear();
            int made = 0;
            Task ended = reconnector.RunAsync(
                _ => throw failures[made++], _ => true, (number, e) => _told.Add((number, e)), CancellationToken.None);
            Assert.Same(failures[5], await Assert.ThrowsAsync<UnauthorizedAccessException>(() => ended.InTime()));
            Assert.Equal(failures[..5], _told.Select(told => told.Error));
        }

        static UnauthorizedAccessException Refused() => new("refused");
    }

    // Ended by its token, it fails by itself.
    private static async Task<bool> FailedWhenEndedAsync(Exception error, CancellationToken cancellationToken)
    {
        await Task.Delay(Timeout.Infinite, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        throw error;
    }

    private static async Task<bool> EndlessAsync(CancellationToken cancellationToken)
    {
        await Task.Delay(Timeout.Infinite, cancellationToken);
        return true;
    }

    private static Task RunAsync(Reconnector reconnector, int failures)
    {
        int made = 0;
        return reconnector.RunAsync(_ => Task.FromResult(made++ == failures), _ => false, null, CancellationToken.None);
    }

    private Reconnector New() => new(First, Longest, limit: null, _time);

    /// <summary>A time in which whoever waits has waited at once.</summary>
    private sealed class JumpingTime : TimeProvider
    {
        private TimeSpan _now;

        public List<TimeSpan> Pauses { get; } = [];

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public void Pass(TimeSpan time) => _now += time;

        public override long GetTimestamp() => _now.Ticks;

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            Pauses.Add(dueTime);
            Pass(dueTime);
            return System.CreateTimer(callback, state, TimeSpan.Zero, period);
        }
    }
}

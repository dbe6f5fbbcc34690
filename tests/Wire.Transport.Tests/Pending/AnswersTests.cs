using Wire.Testing;
using Wire.Transport.Pending;

namespace Wire.Transport.Tests.Pending;

/// <summary>A wait for an answer ends when it has come, when none will come, with its time and with its token, and never throws.</summary>
public sealed class AnswersTests
{
    private readonly TaskCompletionSource _answer = new();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_answer_that_comes_or_fails_has_come(bool fails)
    {
        Task<bool> came = CameAsync(TimeSpan.FromDays(1));
        Assert.False(came.IsCompleted);
        Assert.True(_answer.TryEnd(fails ? new IOException("down") : null));
        Assert.True(await came.InTime());
        Assert.False(_answer.TryEnd(null));
        Assert.Equal(fails, _answer.Task.IsFaulted);
    }

    [Fact]
    public async Task Where_none_will_come_it_looks_for_it_once()
    {
        int asked = 0;
        Assert.False(await _answer.Task.CameAsync(
            TimeSpan.FromDays(1), () => ++asked == 1, TimeProvider.System, CancellationToken.None).InTime());
        Assert.Equal(1, asked);
    }

    [Fact]
    public async Task An_answer_that_comes_after_several_looks_has_come()
    {
        int asked = 0;
        Task<bool> came = _answer.Task.CameAsync(
            TimeSpan.FromDays(1),
            () =>
            {
                if (++asked == 2)
                {
                    _answer.SetResult();
                }

                return false;
            },
            TimeProvider.System,
            CancellationToken.None);
        Assert.True(await came.InTime());
        Assert.Equal(2, asked);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(20)]
    public async Task Its_time_ends_it(int milliseconds)
    {
        Assert.False(await CameAsync(TimeSpan.FromMilliseconds(milliseconds)).InTime());
        _answer.SetResult();
        Assert.True(await CameAsync(TimeSpan.Zero));
    }

    [Fact]
    public async Task Its_token_ends_it()
    {
        using var ended = new CancellationTokenSource();
        Task<bool> came = CameAsync(TimeSpan.FromDays(1), ended.Token);
        await ended.CancelAsync();
        Assert.False(await came.InTime());
        Assert.False(await CameAsync(TimeSpan.FromDays(1), ended.Token));
    }

    private Task<bool> CameAsync(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        _answer.Task.CameAsync(timeout, () => false, TimeProvider.System, cancellationToken);
}

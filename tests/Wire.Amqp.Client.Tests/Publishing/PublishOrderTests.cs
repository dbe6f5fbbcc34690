using Wire.Amqp.Client.Tests.Testing;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Publishing;

/// <summary>
/// On a channel, messages are in the order of the calls: so those of each of several tasks stay in the order of that task.
/// </summary>
public sealed class PublishOrderTests
{
    private const int Writers = 8;
    private const int Each = 400;

    // Null: mixed by publish.
    [Theory]
    [InlineData(FrameWriting.Background, false)]
    [InlineData(FrameWriting.Inline, false)]
    [InlineData(null, false)]
    [InlineData(FrameWriting.Background, true)]
    [InlineData(FrameWriting.Inline, true)]
    [InlineData(null, true)]
    public async Task Each_of_competing_writers_keeps_its_order(FrameWriting? writing, bool isCut)
    {
        await using Arrivals arrivals = await Arrivals.ListenAsync();
        await using TestLink link = await TestLink.ConnectAsync(
            options => options with { MaxUnsentBytes = 1 << 16, Recovery = TestLink.Soon with { ResendUnconfirmed = true } });
        AmqpChannel channel = await link.Connection.OpenChannelAsync(new AmqpChannelOptions { MaxInFlight = 64 }).InTime();
        Task Write(int writer) => Task.Run(() =>
        {
            var random = new Random(writer);
            return Task.WhenAll(Enumerable.Range(0, Each).Select(number =>
                arrivals.PublishAsync(
                    channel,
                    (writer * Each) + number,
                    writing ?? (FrameWriting)random.Next(2),
                    random.Next(4) == 0 ? random.Next(20_000) : random.Next(50))).ToArray());
        });
        Task all = Task.WhenAll(Enumerable.Range(0, Writers).Select(Write));
        for (int cut = 1; isCut && cut <= 4; cut++)
        {
            await arrivals.ReachedAsync(Writers * Each * cut / 6);
            await link.LoseAsync((Cut)(cut % 2));
        }

        await all.InTime();
        await arrivals.ReachedAsync(Writers * Each);
        int[] first = [.. arrivals.Numbers.Distinct()];
        for (int writer = 0; writer < Writers; writer++)
        {
            Assert.Equal(Enumerable.Range(writer * Each, Each), first.Where(number => number / Each == writer));
        }

        Assert.True(isCut || first.Length == arrivals.Numbers.Length);
    }
}

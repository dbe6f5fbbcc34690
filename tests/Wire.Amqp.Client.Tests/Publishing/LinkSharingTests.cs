using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Publishing;

/// <summary>Channels of one connection share it by bytes, whoever of them has more to send.</summary>
public sealed class LinkSharingTests
{
    private const int Channels = 4;
    private const int Size = 1000;

    private static readonly BasicPublish To = new() { Exchange = "x", RoutingKey = "q" };
    private static readonly BasicProperties Plain;

    // A little more than what a channel has of a round.
    private const int Fair = (1 << 18) + (1 << 16);

    [Fact]
    public async Task A_channel_with_much_to_send_does_not_have_the_others_wait_for_all_of_it()
    {
        await using var broker = new AmqpServer();
        await using AmqpConnection connection = await broker.ConnectAsync(options => options with { Writing = FrameWriting.Background });
        AmqpChannel first = await OpenAsync();
        var channels = new AmqpChannel[Channels];
        for (int i = 0; i < Channels; i++)
        {
            channels[i] = await OpenAsync();
        }

        // The socket takes no more when the first one is full; then all others have as much to send.
        await broker.StopReadingAsync();
        List<Task> published = [await FillAsync(first, new byte[1 << 16])];
        foreach (AmqpChannel channel in channels)
        {
            published.Add(await FillAsync(channel, new byte[Size]));
        }

        broker.GoOn();

        // Until one of them is nearly done.
        long[] received = new long[Channels];
        while (received.Max() < (1 << 20) - Fair)
        {
            ReceivedMessage message = await broker.NextAsync();
            if (message.Body.Length == Size)
            {
                received[message.Channel - 2] += Size;
                Assert.True(received.Max() - received.Min() <= Fair, $"Of the channels have come {string.Join(", ", received)} bytes.");
            }
        }

        await Task.WhenAll(published).InTime();

        Task<AmqpChannel> OpenAsync() => connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = false }).InTime();

        // Until there is no room, and none is made: the last one waits.
        static async Task<Task> FillAsync(AmqpChannel channel, byte[] body)
        {
            Task last;
            do
            {
                last = channel.PublishBytesAsync(in To, in Plain, body.AsMemory()).AsTask();
            }
            while (last.IsCompletedSuccessfully || await Task.WhenAny(last, Task.Delay(200)) == last);

            return last;
        }
    }
}

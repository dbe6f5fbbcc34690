using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Faults;

/// <summary>A named producer, and connections that are cut wherever they are: nothing lost, nothing twice, and all in order.</summary>
public sealed class ProducerFaultTests
{
    private static readonly int Messages = Sweep.IsWhole ? 1_000_000 : 100_000;
    private static readonly int Cuts = Sweep.IsWhole ? 20 : 5;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Nothing_is_lost_and_nothing_is_there_twice(bool batches)
    {
        await using var proxy = new FaultProxy(Broker.Node.StreamUri);
        await using ProducerStream stream = await ProducerStream.CreateAsync(StreamBroker.Through(proxy));
        var random = new Random(batches ? 11 : 12);
        HashSet<int> cuts = [.. Enumerable.Range(0, Cuts).Select(i => ((Messages / Cuts) * i) + random.Next(Messages / Cuts))];
        long lost = 0;
        await using (StreamProducer producer = await stream.Client.CreateProducerAsync(stream.Name, new StreamProducerOptions
        {
            Name = "faults",
            MaxUnconfirmed = 10_000,
            SubEntries = batches ? new StreamSubEntryOptions { MaxMessages = 30, Codec = new GZipCodec() } : null,
            Confirmed = range => lost += range.IsConfirmed ? 0 : 1,
        }))
        {
            int cut = 0;
            for (int i = 0; i < Messages; i++)
            {
                if (cuts.Contains(i))
                {
                    cut++;
                    proxy.CutAll();
                }

                await producer.EnqueueBytesAsync(ProducerStream.Body(i));
            }

            Assert.Equal(Cuts, cut);
            await producer.FlushAsync().WaitAsync(Patience.Limit * 2);
        }

        Assert.Equal(0, lost);
        await stream.AssertNumbersAsync(0, Messages);
    }
}

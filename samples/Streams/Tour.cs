using System.Buffers.Binary;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams;

namespace Sensors;

/// <summary>What can be done with streams, each thing once.</summary>
internal static class Tour
{
    public static async Task RunAsync(StreamClient client, Uri uri)
    {
        string stream = $"tour-{Guid.NewGuid():N}";
        Console.WriteLine("Creating a stream");
        #region create
        await client.CreateStreamAsync(stream, new StreamOptions { MaxAge = TimeSpan.FromDays(7), MaxLengthBytes = 20L << 30 });
        #endregion
        try
        {
            Console.WriteLine("Publishing");
            await PublishAsync(client, stream);
            Console.WriteLine("Consuming");
            await ConsumeAsync(client, stream);
            await BatchesAsync(client, stream);
            Console.WriteLine("A producer that sends nothing twice");
            await DeduplicateAsync(client, stream);
            Console.WriteLine("A consumer that goes on where it was");
            await ResumeAsync(client, stream);
        }
        finally
        {
            await client.DeleteStreamAsync(stream);
        }

        Console.WriteLine("A super stream");
        await SuperStreams.RunAsync(client, uri);
    }

    private static async Task PublishAsync(StreamClient client, string stream)
    {
        #region publish
        await using StreamProducer producer = await client.CreateProducerAsync(stream);
        await producer.SendAsync(new Temperature(Sensor: 7, At: 1, Celsius: 21.5)); // confirmed when it returns

        Reading[] readings = [new Temperature(7, 2, 21.75), new Alarm(7, 3, "door open")];
        await Task.WhenAll(readings.Select(reading => producer.SendAsync(reading).AsTask()));
        #endregion

        #region raw and properties
        byte[] raw = new byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(raw, 42);
        await producer.SendBytesAsync(raw);

        Reading alarm = new Alarm(7, 4, "window open");
        await producer.SendMessageAsync(alarm, new Properties { MessageId = "alarm-4", GroupId = "cellar" });
        #endregion
    }

    private static async Task ConsumeAsync(StreamClient client, string stream)
    {
        var done = new TaskCompletionSource();
        #region consume
        await using StreamConsumer consumer = await client.ConsumeAsync(
            stream,
            message =>
            {
                if (message.Span.Length == sizeof(long))
                {
                    Console.WriteLine($"  {message.Offset}: the number {BinaryPrimitives.ReadInt64BigEndian(message.Span)}");
                    return ValueTask.CompletedTask;
                }

                Console.WriteLine($"  {message.Offset}: {message.Read<Reading>()}");
                if (message.Offset == 4)
                {
                    done.SetResult();
                }

                return ValueTask.CompletedTask;
            },
            new StreamConsumerOptions { Offset = StreamOffset.First });
        #endregion
        await await Task.WhenAny(done.Task, consumer.Completion);
    }

    private static async Task BatchesAsync(StreamClient client, string stream)
    {
        var done = new TaskCompletionSource();
        long bytes = 0;
        #region batches
        await using StreamConsumer consumer = await client.ConsumeBatchesAsync(
            stream,
            messages =>
            {
                foreach (ref readonly StreamMessage message in messages)
                {
                    bytes += message.Span.Length;
                }

                if (messages[^1].Offset >= 4)
                {
                    done.TrySetResult();
                }
            },
            new StreamConsumerOptions { Offset = StreamOffset.First });
        #endregion
        await await Task.WhenAny(done.Task, consumer.Completion);
        Console.WriteLine($"  {bytes} bytes in all");
    }

    private static async Task DeduplicateAsync(StreamClient client, string stream)
    {
        Reading[] lines = [.. Enumerable.Range(0, 10).Select(i => new Temperature(1, i, i))];
        for (int attempt = 0; attempt < 2; attempt++)
        {
            #region deduplicate
            await using StreamProducer producer = await client.CreateProducerAsync(stream, new StreamProducerOptions { Name = "importer" });
            for (ulong line = producer.LastPublishingId; line < (ulong)lines.Length; line++)
            {
                await producer.EnqueueAsync(lines[line]); // ids count on from what the broker has
            }

            await producer.FlushAsync();
            #endregion
            Console.WriteLine($"  attempt {attempt + 1}: {producer.LastPublishingId} lines are there");
        }
    }

    private static async Task ResumeAsync(StreamClient client, string stream)
    {
        for (int attempt = 0; attempt < 2; attempt++)
        {
            var done = new TaskCompletionSource<ulong>();
            #region resume
            await using StreamConsumer consumer = await client.ConsumeAsync(
                stream,
                message =>
                {
                    done.TrySetResult(message.Offset);
                    return ValueTask.CompletedTask;
                },
                new StreamConsumerOptions
                {
                    Name = "reports", // begins behind what is stored under it
                    Offset = StreamOffset.First, // where nothing is
                    Tracking = StreamTracking.Every(messages: 1000, TimeSpan.FromSeconds(1)),
                });
            #endregion
            if (attempt == 0)
            {
                Console.WriteLine($"  the first time it begins with offset {await done.Task}");
            }
        }
    }
}

using System.Collections.Concurrent;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams;
using Wire.RabbitMQ.Streams.Compression;

namespace Sensors;

/// <summary>
/// What a program needs now and then: sections, confirmations one by one, ids of its own, batches, failures, offsets, filters.
/// </summary>
internal static class Details
{
    public static async Task RunAsync(StreamClient client)
    {
        string stream = $"details-{Guid.NewGuid():N}";
        #region ensure
        bool isNew = await client.EnsureStreamAsync(stream); // whether it was created now; other options than those it has are an error
        #endregion
        Console.WriteLine($"A stream that is {(isNew ? "new" : "there")}: confirmations, batches, sections");
        try
        {
            await ConfirmationsAsync(client, stream);
            await ImportAsync(client, stream);
            await SubEntriesAsync(client, stream);
            await CompressionAsync(client, stream);
            await SectionsAsync(client, stream);
            await ReadAsync(client, stream);
            await FailuresAsync(client, stream);
            await StoreAsync(client, stream);
            await KeepAsync(client, stream);
            await FiltersAsync(client, stream);
        }
        finally
        {
            await client.DeleteStreamAsync(stream);
        }
    }

    private static async Task ConfirmationsAsync(StreamClient client, string stream)
    {
        #region confirmations
        await using StreamProducer producer = await client.CreateProducerAsync(stream, new StreamProducerOptions
        {
            Confirmed = range => Console.WriteLine(range.IsConfirmed
                ? $"  {range.First} to {range.Last} are stored"
                : $"  {range.First} to {range.Last} are not: {range.Code?.ToString() ?? "the broker may have them or not"}"),
        });
        ulong id = await producer.EnqueueAsync(new Temperature(3, 1, 19.5)); // the id by which Confirmed tells of it
        await producer.FlushAsync();
        #endregion
        Console.WriteLine($"  {id} is the id of the message");
    }

    private static async Task ImportAsync(StreamClient client, string stream)
    {
        Reading[] lines = [new Temperature(3, 2, 19.75), new Temperature(3, 3, 20)];
        #region own ids
        await using StreamProducer producer = await client.CreateProducerAsync(stream, new StreamProducerOptions { Name = "file 17" });
        for (int i = 0; i < lines.Length; i++)
        {
            // ascending, from 1 on; gaps are allowed
            await producer.EnqueueAsync(lines[i], new StreamSendOptions { PublishingId = (ulong)i + 1 });
        }

        await producer.FlushAsync();
        #endregion
    }

    private static async Task SubEntriesAsync(StreamClient client, string stream)
    {
        #region sub entries
        await using StreamProducer producer = await client.CreateProducerAsync(stream, new StreamProducerOptions
        {
            SubEntries = new StreamSubEntryOptions { MaxMessages = 100, Codec = new GZipCodec() },
        });
        #endregion
        for (int i = 0; i < 250; i++)
        {
            await producer.EnqueueAsync(new Temperature(3, 4 + i, 20));
        }

        await producer.FlushAsync();
    }

    private static async Task CompressionAsync(StreamClient client, string stream)
    {
        #region compression
        var codec = new ZstdCodec(); // one for all producers and consumers
        await using StreamProducer producer = await client.CreateProducerAsync(stream, new StreamProducerOptions
        {
            SubEntries = new StreamSubEntryOptions { Codec = codec },
        });

        await using StreamConsumer consumer = await client.ConsumeAsync<Reading>(
            stream,
            (reading, message) => ValueTask.CompletedTask,
            new StreamConsumerOptions { Codecs = [codec, new Lz4Codec(), new SnappyCodec()] }); // all that other clients write
        #endregion
    }

    private static async Task SectionsAsync(StreamClient client, string stream)
    {
        await using StreamProducer producer = await client.CreateProducerAsync(stream);
        #region sections
        await producer.SendWrittenAsync(new Temperature(3, 254, 20.5), static (output, reading) =>
        {
            MessageWriter.Write(output, new Properties { Subject = "temperature", CreationTime = DateTimeOffset.UtcNow });
            MessageWriter.Write(output, new ApplicationProperties { Map = AmqpValue.Map(("sensor", reading.Sensor), ("unit", "Celsius")) });
            MessageWriter.Write(output, new ValueSection { Value = reading.Celsius });
        });
        #endregion
    }

    private static async Task ReadAsync(StreamClient client, string stream)
    {
        var done = new TaskCompletionSource();
        await using StreamConsumer consumer = await client.ConsumeAsync(
            stream,
            message =>
            {
                #region read sections
                Properties properties = message.ReadProperties();
                AmqpMap sensor = message.ReadApplicationProperties();
                if (properties.Subject is { IsNull: false } subject)
                {
                    Console.WriteLine(
                        $"  {subject} of sensor {sensor["sensor"].As<int>()}: " +
                $"{message.ReadValue().As<double>()} {sensor["unit"].As<string>()}");
                }
                #endregion

                if (message.Offset == 253)
                {
                    done.SetResult();
                }

                return ValueTask.CompletedTask;
            },
            new StreamConsumerOptions { Offset = StreamOffset.First });
        await await Task.WhenAny(done.Task, consumer.Completion);
    }

    private static async Task FailuresAsync(StreamClient client, string stream)
    {
        var done = new TaskCompletionSource();
        #region failures
        await using StreamConsumer consumer = await client.ConsumeAsync<Reading>(
            stream,
            (reading, message) => ValueTask.CompletedTask,
            new StreamConsumerOptions
            {
                Offset = StreamOffset.First,
                OnFailure = failure =>
                {
                    Console.WriteLine($"  left out: {failure.Message}"); // or StreamFailedMessage.End, which is what happens without this
                    done.TrySetResult();
                    return StreamFailedMessage.Skip;
                },
            });
        #endregion
        await await Task.WhenAny(done.Task, consumer.Completion);
    }

    private static async Task StoreAsync(StreamClient client, string stream)
    {
        var done = new TaskCompletionSource<ulong>();
        #region manual
        await using StreamConsumer consumer = await client.ConsumeBatchesAsync(
            stream,
            messages => done.TrySetResult(messages[^1].Offset),
            new StreamConsumerOptions { Name = "ledger", Offset = StreamOffset.First, Tracking = StreamTracking.Manual });
        ulong written = await done.Task; // what the program has put where it is safe
        consumer.StoreOffset(written);
        #endregion
    }

    private static async Task KeepAsync(StreamClient client, string stream)
    {
        var kept = new ConcurrentDictionary<string, ulong>();
        #region keep
        await using StreamConsumer consumer = await client.ConsumeAsync<Reading>(
            stream,
            (reading, message) =>
            {
                kept[message.Stream] = message.Offset; // in one transaction with what is made of the reading
                return ValueTask.CompletedTask;
            },
            new StreamConsumerOptions
            {
                // asked at first, after a lost connection, and when a single active consumer becomes active
                FindOffset = (asking, cancellationToken) => ValueTask.FromResult<StreamOffset?>(
                    kept.TryGetValue(asking.Stream, out ulong last) ? StreamOffset.At(last + 1) : StreamOffset.First),
            });
        #endregion
        await consumer.CloseAsync();
    }

    private static async Task FiltersAsync(StreamClient client, string stream)
    {
        try
        {
            #region filters
            await using StreamProducer producer = await client.CreateProducerAsync(stream);
            await producer.SendMessageAsync(
                new Alarm(3, 255, "smoke"), new Properties { Subject = "alarm" }, options: new StreamSendOptions { Filter = "alarm" });

            await using StreamConsumer consumer = await client.ConsumeAsync<Reading>(
                stream,
                (alarm, message) => ValueTask.CompletedTask,
                new StreamConsumerOptions
                {
                    Filters = ["alarm"], // chunks without any are left out by the broker
                    // and of the others what is none, here
                    Accepts = message => message.HasSections && message.ReadProperties().Subject.Equals("alarm"),
                });
            #endregion
            Console.WriteLine("  filters are known to this broker");
        }
        catch (NotSupportedException e)
        {
            Console.WriteLine($"  {e.Message}");
        }
    }
}

using System.Buffers;
using System.Collections.Concurrent;
using System.Text;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>A producer on the real broker.</summary>
public sealed class StreamProducerTests
{
    private const int Many = 20_000;

    [Fact]
    public async Task What_is_sent_arrives_in_order_and_is_confirmed()
    {
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        await using StreamProducer producer = await stream.Client.CreateProducerAsync(stream.Name);
        var tasks = new List<Task>();
        for (int i = 0; i < Many; i++)
        {
            tasks.Add(producer.SendBytesAsync(ProducerStream.Body(i)).AsTask());
        }

        await Task.WhenAll(tasks).WaitAsync(Patience.Limit);
        Assert.Equal((ulong)Many, producer.LastPublishingId);
        Assert.Equal(0, producer.Unconfirmed);
        await stream.AssertNumbersAsync(0, Many);
    }

    [Fact]
    public async Task What_is_enqueued_is_confirmed_in_ranges_without_gaps()
    {
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        var ranges = new ConcurrentQueue<StreamConfirmation>();
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        ulong last = 0;
        await using StreamProducer producer = await stream.Client.CreateProducerAsync(stream.Name, new StreamProducerOptions
        {
            MaxUnconfirmed = 500,
            Confirmed = range =>
            {
                ranges.Enqueue(range);
                Assert.Equal(last + 1, range.First);
                last = range.Last;
                if (last == Many)
                {
                    all.SetResult();
                }
            },
        });
        for (int i = 0; i < Many; i++)
        {
            Assert.Equal((ulong)i + 1, await producer.EnqueueBytesAsync(ProducerStream.Body(i)));
        }

        await producer.FlushAsync().WaitAsync(Patience.Limit);
        await all.Task.WaitAsync(Patience.Limit);
        Assert.All(ranges, range => Assert.True(range.IsConfirmed));
        await stream.AssertNumbersAsync(0, Many);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Messages_in_batches_arrive_in_order(bool gzip)
    {
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        await using StreamProducer producer = await stream.Client.CreateProducerAsync(
            stream.Name, new StreamProducerOptions
            {
                Name = "batches",
                SubEntries = new StreamSubEntryOptions { MaxMessages = 70, Codec = gzip ? new GZipCodec() : null },
            });
        var tasks = new List<Task>();
        for (int i = 0; i < Many; i++)
        {
            tasks.Add(producer.SendBytesAsync(ProducerStream.Body(i)).AsTask());
        }

        await Task.WhenAll(tasks).WaitAsync(Patience.Limit);
        await stream.AssertNumbersAsync(0, Many);
    }

    [Fact]
    public async Task A_frame_that_lingers_goes_when_its_time_has_come_or_it_has_to()
    {
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        await using StreamProducer timed =
            await stream.Client.CreateProducerAsync(stream.Name, new StreamProducerOptions { Linger = TimeSpan.FromMilliseconds(2) });
        for (int i = 0; i < 50; i++)
        {
            await timed.SendBytesAsync(ProducerStream.Body(i)).AsTask().WaitAsync(Patience.Limit);
        }

        await using StreamProducer late = await stream.Client.CreateProducerAsync(
            stream.Name, new StreamProducerOptions { Linger = TimeSpan.FromMinutes(1), MaxUnconfirmed = 2 });
        await late.EnqueueBytesAsync(ProducerStream.Body(50));
        await late.FlushAsync().WaitAsync(Patience.Limit / 2);
        for (int i = 51; i < 60; i++)
        {
            await late.EnqueueBytesAsync(ProducerStream.Body(i)).AsTask().WaitAsync(Patience.Limit / 2);
        }

        await late.CloseAsync().WaitAsync(Patience.Limit / 2);
        await stream.AssertNumbersAsync(0, 60);
    }

    [Fact]
    public async Task Objects_are_what_other_clients_read_or_bare()
    {
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        var serializer = new Serializer();
        await using (StreamProducer producer = await stream.Client.CreateProducerAsync(stream.Name))
        {
            await producer.SendAsync("short");
            await producer.SendAsync(new string('x', 1_000));
            await producer.EnqueueMessageAsync("with", new Properties { MessageId = "an id" });
            await producer.SendWrittenAsync(7, static (output, number) => MessageWriter.Write(output, new ValueSection { Value = number }));
        }

        await using (StreamProducer bare =
            await stream.Client.CreateProducerAsync(stream.Name, new StreamProducerOptions { Format = StreamFormat.Wire }))
        {
            await bare.SendAsync("bare");
        }

        List<byte[]> messages = await stream.ReadAsync();
        Assert.Equal(5, messages.Count);
        Assert.Equal("short", serializer.Deserialize<string>(Data(messages[0])));
        Assert.Equal(0xA0, messages[0][3]);
        Assert.Equal(new string('x', 1_000), serializer.Deserialize<string>(Data(messages[1])));
        Assert.Equal(0xB0, messages[1][3]);

        AssertHasProperties(messages[2], serializer);
        Assert.Equal("0053775407", Convert.ToHexString(messages[3]));
        Assert.Equal("bare", serializer.Deserialize<string>(messages[4]));
    }

    [Fact]
    public async Task A_named_producer_goes_on_behind_what_the_broker_has_and_stores_nothing_twice()
    {
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        var options = new StreamProducerOptions { Name = "the name" };
        await using (StreamProducer first = await stream.Client.CreateProducerAsync(stream.Name, options))
        {
            for (int i = 1; i <= 100; i++)
            {
                await first.EnqueueBytesAsync(ProducerStream.Body(i));
            }
        }

        await using (StreamProducer second = await stream.Client.CreateProducerAsync(stream.Name, options))
        {
            Assert.Equal(100ul, second.LastPublishingId);
            for (ulong i = 51; i <= 150; i++)
            {
                // The first half is there already, and is confirmed all the same.
                await second.SendBytesAsync(ProducerStream.Body((long)i), new StreamSendOptions { PublishingId = i }).AsTask().WaitAsync(
                    Patience.Limit);
            }

            Assert.Equal(151ul, await second.EnqueueBytesAsync(ProducerStream.Body(151)));
            Task SendAsync(ulong id) => second.SendBytesAsync(ProducerStream.Body(0), new StreamSendOptions { PublishingId = id }).AsTask();
            ArgumentException error = await Assert.ThrowsAsync<ArgumentException>(Started(() => SendAsync(151)));
            Assert.Contains("is not larger than", error.Message, StringComparison.Ordinal);
            error = await Assert.ThrowsAsync<ArgumentException>(Started(() => SendAsync(ulong.MaxValue)));
            Assert.Contains("other clients would read it as negative", error.Message, StringComparison.Ordinal);
        }

        await stream.AssertNumbersAsync(1, 151);
    }

    [Fact]
    public async Task What_fails_to_be_written_leaves_nothing_and_others_untouched()
    {
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        await using StreamProducer producer =
            await stream.Client.CreateProducerAsync(stream.Name, new StreamProducerOptions { MaxFrameBytes = 1_000 });
        var tasks = new List<Task>();
        for (int i = 0; i < 300; i++)
        {
            tasks.Add(producer.SendBytesAsync(ProducerStream.Body(i)).AsTask());
            await Assert.ThrowsAsync<FormatException>(Started(() => producer.SendWrittenAsync(i, static (output, size) =>
            {
                output.GetSpan(size * 100).Fill(1);
                output.Advance(size * 100);
                throw new FormatException();
            }).AsTask()));
        }

        ArgumentException tooLarge = await Assert.ThrowsAsync<ArgumentException>(
            Started(() => producer.SendBytesAsync(new byte[1 << 20]).AsTask()));
        Assert.Contains("does not fit a frame", tooLarge.Message, StringComparison.Ordinal);
        Assert.Contains("RequestedFrameMax", tooLarge.Message, StringComparison.Ordinal);
        tooLarge = await Assert.ThrowsAsync<ArgumentException>(Started(() => producer.EnqueueBytesAsync(new byte[1 << 22]).AsTask()));
        Assert.Contains("does not fit a frame", tooLarge.Message, StringComparison.Ordinal);
        var json = new Properties { ContentType = "application/json" };
        ArgumentException type = await Assert.ThrowsAsync<ArgumentException>(
            Started(() => producer.SendMessageAsync("text", in json).AsTask()));
        Assert.Contains("'application/json'", type.Message, StringComparison.Ordinal);
        for (int i = 300; i < 400; i++)
        {
            tasks.Add(producer.SendBytesAsync(ProducerStream.Body(i)).AsTask());
        }

        await Task.WhenAll(tasks).WaitAsync(Patience.Limit);
        await stream.AssertNumbersAsync(0, 400);
    }

    [Fact]
    public async Task Messages_of_all_sizes_arrive_as_they_were()
    {
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        var random = new Random(5);
        var sent = new List<byte[]>();
        await using (StreamProducer producer = await stream.Client.CreateProducerAsync(
            stream.Name, new StreamProducerOptions { MaxFrameBytes = 5_000, MaxUnconfirmedBytes = 100_000 }))
        {
            for (int i = 0; i < 500; i++)
            {
                byte[] body = new byte[i % 50 == 0 ? random.Next(1_000_000) : random.Next(3_000)];
                random.NextBytes(body);
                sent.Add(body);
                await producer.EnqueueBytesAsync(body);
            }
        }

        Assert.Equal(sent, await stream.ReadAsync());
    }

    [Fact]
    public async Task A_send_out_of_a_message_that_is_being_written_is_refused()
    {
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        await using StreamProducer producer = await stream.Client.CreateProducerAsync(stream.Name);
        Task? inner = null;
        await producer.SendWrittenAsync(0L, (output, number) =>
        {
            inner = producer.SendBytesAsync(new byte[1]).AsTask();
            output.Write(ProducerStream.Body(number));
        }).AsTask().WaitAsync(Patience.Limit);
        InvalidOperationException error = await Assert.ThrowsAsync<InvalidOperationException>(() => inner!.WaitAsync(Patience.Limit));
        Assert.Contains("is being written", error.Message, StringComparison.Ordinal);
        await producer.SendBytesAsync(ProducerStream.Body(1)).AsTask().WaitAsync(Patience.Limit);
        await stream.AssertNumbersAsync(0, 2);
    }

    [Fact]
    public async Task Filter_values_are_refused_before_they_are_sent_to_a_broker_without_them()
    {
        await using var server = new StrictStreamServer("3.12.14");
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        await using StreamProducer producer = await client.CreateProducerAsync("s");
        NotSupportedException error = await Assert.ThrowsAsync<NotSupportedException>(
            Started(() => producer.SendBytesAsync(new byte[1], new StreamSendOptions { Filter = "a" }).AsTask()));
        Assert.Contains("3.13", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Many_producers_on_one_connection_do_not_mix()
    {
        const int Producers = 16;
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        StreamProducer[] producers = await Task.WhenAll(Enumerable.Range(0, Producers).Select(
            i => stream.Client.CreateProducerAsync(stream.Name, new StreamProducerOptions { Name = i % 2 == 0 ? $"p{i}" : null })));
        await Task.WhenAll(producers.Select(async (producer, number) =>
        {
            for (int i = 0; i < 1_000; i++)
            {
                await producer.EnqueueBytesAsync(Encoding.ASCII.GetBytes($"{number} {i}"));
            }

            await producer.CloseAsync();
        })).WaitAsync(Patience.Limit);
        ILookup<string, int> messages = (await stream.ReadAsync()).Select(body => Encoding.ASCII.GetString(body).Split(' ')).ToLookup(
            parts => parts[0], parts => int.Parse(parts[1], null));
        Assert.Equal(Producers, messages.Count);
        Assert.All(messages, numbers => Assert.Equal(Enumerable.Range(0, 1_000), numbers));
    }

    [Fact]
    public async Task A_stream_that_is_not_there_is_said_at_once()
    {
        await using var client = new StreamClient(StreamBroker.Options);
        StreamException error = await Assert.ThrowsAsync<StreamException>(() => client.CreateProducerAsync(Broker.UniqueName()));
        Assert.Equal(StreamResponseCode.StreamDoesNotExist, error.Code);
    }

    // The tasks themselves, as they are: what is measured is that nothing is allocated for them.
#pragma warning disable CA2012
    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 2)]
    public async Task A_message_costs_a_byte_at_most_and_two_in_an_entry_of_several(bool inEntries, long bytes)
    {
        const int Messages = 2_000;
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        await using StreamProducer producer = await stream.Client.CreateProducerAsync(
            stream.Name, new StreamProducerOptions { SubEntries = inEntries ? new StreamSubEntryOptions() : null });
        byte[] body = ProducerStream.Body(1);
        var tasks = new ValueTask[Messages];
        var enqueue = new Gauge(() =>
        {
            for (int i = 0; i < Messages; i++)
            {
                _ = producer.EnqueueBytesAsync(body);
            }

            Settle(producer);
        });
        var send = new Gauge(() =>
        {
            for (int i = 0; i < Messages; i++)
            {
                tasks[i] = producer.SendBytesAsync(body);
            }

            Settle(producer);
            foreach (ValueTask task in tasks)
            {
                while (!task.IsCompleted)
                {
                    Thread.Yield();
                }

                task.GetAwaiter().GetResult();
            }
        });
        long allowed = 10 * Messages * bytes;
        Gauge.Settle(() => enqueue.BytesOfTenCalls <= allowed, enqueue);
        Assert.InRange(enqueue.BytesOfTenCalls, 0, allowed);
        Gauge.Settle(() => send.BytesOfTenCalls <= allowed, send);
        Assert.InRange(send.BytesOfTenCalls, 0, allowed);
    }
#pragma warning restore CA2012

    private static void Settle(StreamProducer producer)
    {
        while (producer.Unconfirmed > 0)
        {
            Thread.Yield();
        }
    }

    private static ReadOnlySequence<byte> Data(byte[] message)
    {
        var reader = new MessageReader(message);
        Assert.True(reader.TryRead(out Section section));
        ReadOnlySequence<byte> bytes = section.Read<DataSection>().Bytes;
        Assert.False(reader.TryRead(out _));
        return bytes;
    }

    private static void AssertHasProperties(byte[] message, Serializer serializer)
    {
        var reader = new MessageReader(message);
        Assert.True(reader.TryRead(out Section section));
        Properties properties = section.Read<Properties>();
        Assert.Equal("an id", properties.MessageId.ToString());
        Assert.Equal(AmqpBody.ContentType, properties.ContentType.ToString());
        Assert.Equal("System.String", properties.Subject.ToString());
        Assert.True(reader.TryRead(out section));
        Assert.Equal("with", serializer.Deserialize<string>(section.Read<DataSection>().Bytes));
        Assert.False(reader.TryRead(out _));
    }

    // The call itself must not throw: its task fails.
    private static Func<Task> Started(Func<Task> send)
    {
        Task task = send();
        return () => task.WaitAsync(Patience.Limit);
    }
}

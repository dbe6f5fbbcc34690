using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;
using static Wire.RabbitMQ.Streams.Tests.SuperStreams.SuperStreamPartitionTests;

namespace Wire.RabbitMQ.Streams.Tests.SuperStreams;

/// <summary>Partitions that cannot be consumed or published to, and callers that come while they change.</summary>
public sealed class SuperStreamRefusalTests
{
    private static readonly Reaction Refusal = Reaction.Refuse(StreamResponseCode.AccessRefused);

    [Fact]
    public async Task One_that_cannot_be_consumed_keeps_no_other_from_it_and_none_that_is_gone_from_its_end()
    {
        await using StrictStreamServer server = Server(2);
        await using var client = new StreamClient(server.Options with { PartitionInterval = null });
        await using SuperStreamConsumer consumer = await client.ConsumeSuperStreamAsync(Super, _ => default);
        StreamConsumer away = consumer.Partitions[1];
        server.Delete("s1");
        await Until.HoldsAsync(() => away.Interruption is StreamException { Code: StreamResponseCode.StreamDoesNotExist }, "the loss");
        Put(server, "s0", "s2", "s3");
        server.When(CommandKey.Subscribe, Refusal);

        StreamException e =
            await Assert.ThrowsAsync<StreamException>(() => consumer.RefreshPartitionsAsync().WaitAsync(Patience.Limit));
        Assert.Equal(StreamResponseCode.AccessRefused, e.Code);
        Assert.Same(e, consumer.Interruption);
        Assert.Equal(["s0", "s3"], consumer.Partitions.Select(partition => partition.Stream));
        await away.Completion.WaitAsync(Patience.Limit);

        await consumer.RefreshPartitionsAsync().WaitAsync(Patience.Limit);
        Assert.Equal(["s0", "s3", "s2"], consumer.Partitions.Select(partition => partition.Stream));
        Assert.Null(consumer.Interruption);
    }

    [Fact]
    public async Task One_that_cannot_be_published_to_keeps_keys_where_they_are_and_none_that_is_gone_from_its_end()
    {
        await using StrictStreamServer server = Server(2);
        await using var client = new StreamClient(server.Options with { PartitionInterval = null });
        await using SuperStreamProducer producer = await client.CreateSuperStreamProducerAsync(Super);
        StreamProducer away = producer.Partitions[1];
        server.Delete("s1");
        await away.EnqueueAsync(1_000);
        Task flush = producer.FlushAsync();
        await Until.HoldsAsync(() => away.Interruption is StreamException { Code: StreamResponseCode.StreamDoesNotExist }, "the loss");
        Put(server, "s0", "s2", "s3");
        server.When(CommandKey.DeclarePublisher, Refusal);

        StreamException e =
            await Assert.ThrowsAsync<StreamException>(() => producer.RefreshPartitionsAsync().WaitAsync(Patience.Limit));
        Assert.Equal(StreamResponseCode.AccessRefused, e.Code);
        Assert.Same(e, producer.Interruption);
        Assert.Equal(["s0", "s1"], producer.Partitions.Select(partition => partition.Stream));
        Assert.Equal(4, server.Received(CommandKey.DeclarePublisher));
        await Assert.ThrowsAsync<StreamPublishException>(
            () => Task.WhenAll(flush, producer.FlushAsync()).WaitAsync(Patience.Limit));

        await producer.RefreshPartitionsAsync().WaitAsync(Patience.Limit);
        Assert.Equal(["s0", "s2", "s3"], producer.Partitions.Select(partition => partition.Stream));
        Assert.Equal(5, server.Received(CommandKey.DeclarePublisher));
        Assert.Null(producer.Interruption);
    }

    [Fact]
    public async Task One_that_comes_back_takes_messages_where_it_did_while_another_is_refused()
    {
        await using StrictStreamServer server = Server(2);
        await using var client = new StreamClient(server.Options with { PartitionInterval = null });
        await using SuperStreamProducer producer = await client.CreateSuperStreamProducerAsync(Super);
        int number = 0;
        while (await producer.RouteAsync($"key-{number}") is not [{ Stream: "s1" }])
        {
            number++;
        }

        StreamProducer away = producer.Partitions[1];
        server.Delete("s1");
        await Until.HoldsAsync(() => away.Interruption is StreamException { Code: StreamResponseCode.StreamDoesNotExist }, "the loss");
        Put(server, "s0", "s2");
        server.When(CommandKey.DeclarePublisher, Refusal);
        await Assert.ThrowsAsync<StreamException>(() => producer.RefreshPartitionsAsync().WaitAsync(Patience.Limit));

        Put(server, "s0", "s1");
        lock (server.Gate)
        {
            server.SuperStreams[Super] = [("s0", "0"), ("s1", "1"), ("s2", "2")];
        }

        // The first that is declared is s1, by its place.
        server.When(CommandKey.DeclarePublisher, Reaction.After(Task.CompletedTask));
        server.When(CommandKey.DeclarePublisher, Refusal);
        await Assert.ThrowsAsync<StreamException>(() => producer.RefreshPartitionsAsync().WaitAsync(Patience.Limit));
        Assert.Equal(["s0", "s1"], producer.Partitions.Select(partition => partition.Stream));
        await producer.SendAsync($"key-{number}", 1_000).AsTask().WaitAsync(Patience.Limit);
        Assert.Single(server.Messages("s1"));
    }

    [Fact]
    public async Task An_offset_that_is_not_set_ends_all_as_what_is_thrown_does()
    {
        await using StrictStreamServer server = Server(1);
        await using var client = new StreamClient(server.Options with { PartitionInterval = null });
        await using SuperStreamConsumer consumer = await client.ConsumeSuperStreamAsync(Super, _ => default, new StreamConsumerOptions
        {
            FindOffset = (asking, _) => ValueTask.FromResult<StreamOffset?>(asking.Stream == "s1" ? default(StreamOffset) : null),
        });
        Add(server, "s1");
        await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.RefreshPartitionsAsync().WaitAsync(Patience.Limit));
        StreamConsumerException e =
            await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));
        Assert.Equal("s1", e.Stream);
        Assert.Contains("has returned an offset of 's1' that is not set", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Closing_waits_no_longer_than_its_token_for_what_a_callback_does()
    {
        await using StrictStreamServer server = Server(1);
        await using var client = new StreamClient(server.Options with { PartitionInterval = null });
        var asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        SuperStreamConsumer consumer = await client.ConsumeSuperStreamAsync(Super, _ => default, new StreamConsumerOptions
        {
            FindOffset = async (asking, _) =>
            {
                if (asking.Stream == "s1")
                {
                    asked.SetResult();
                    await release.Task;
                }

                return null;
            },
        });
        Add(server, "s1");
        Task refresh = consumer.RefreshPartitionsAsync();
        await asked.Task.WaitAsync(Patience.Limit);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => consumer.CloseAsync(new CancellationToken(canceled: true)).WaitAsync(Patience.Limit));
        release.SetResult();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => refresh.WaitAsync(Patience.Limit));
        await consumer.CloseAsync().WaitAsync(Patience.Limit);
    }

    [Fact]
    public async Task Many_callers_with_new_keys_ask_once_and_what_one_has_found_before_still_takes_messages()
    {
        const int Keys = 50;
        await using StrictStreamServer server = Server(2);
        await using var client = new StreamClient(server.Options with { PartitionInterval = null });
        await using SuperStreamProducer producer = await client.CreateSuperStreamProducerAsync(Super, StreamRouting.Key);
        StreamProducer away = Assert.Single(await producer.RouteAsync("1"));
        server.Create("s2");
        lock (server.Gate)
        {
            server.SuperStreams[Super] = [("s0", "0"), .. Enumerable.Range(0, Keys).Select(key => ("s2", $"key-{key}"))];
        }

        int before = server.Received(CommandKey.Partitions);
        await Task.WhenAll(Enumerable.Range(0, Keys).Select(key => producer.SendAsync($"key-{key}", key).AsTask()))
            .WaitAsync(Patience.Limit);
        Assert.Equal(before + 1, server.Received(CommandKey.Partitions));
        Assert.Equal(Keys, server.Messages("s2").Count);
        await producer.RefreshPartitionsAsync().WaitAsync(Patience.Limit);
        await away.SendAsync(1_000).AsTask().WaitAsync(Patience.Limit);
        Assert.Single(server.Messages("s1"));
    }

    private static void Put(StrictStreamServer server, params string[] streams)
    {
        // The first is there.
        foreach (string stream in streams.Skip(1))
        {
            server.Create(stream);
        }

        lock (server.Gate)
        {
            server.SuperStreams[Super] = [.. streams.Select(stream => (stream, stream[1..]))];
        }
    }
}

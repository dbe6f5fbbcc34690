using Wire;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.RabbitMQ;
using Wire.RabbitMQ.Streams;

namespace Depot;

/// <summary>Publishers, consumers, requests, a client by itself and a stream in one process, in waves; some of it fails.</summary>
internal sealed class Traffic(string uri, string streamUri, CancellationToken stop)
{
    private const string Orders = "depot-orders";
    private const string Questions = "depot-questions";
    private const string Parcels = "depot-parcels";
    private const string Shelf = "depot-shelf";
    private const string Readings = "depot-readings";

    private static readonly SerializerOptions Options =
        new() { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<DepotMessage>() };

    /// <summary>
    /// Runs until it is stopped, and then deletes the queues and the stream. Where a part of it fails, this fails at once.
    /// </summary>
    public async Task RunAsync()
    {
        await foreach (Task ended in Task.WhenEach(QueuesAsync(), ClientAsync(), StreamAsync()))
        {
            await ended;
        }
    }

    private async Task QueuesAsync()
    {
        await using WireConnection connection = await WireConnection.ConnectAsync(uri);
        var serializer = new WireBodySerializer(Options);
        await connection.Topology.DeclareQueueAsync(Orders);
        await connection.Topology.DeclareQueueAsync(Questions);
        PayloadPath<int> numberOf = serializer.Serializer.Path((Order order) => order.Number);
        await using var consumer = new WireConsumer(connection, serializer, new WireConsumerOptions
        {
            Queue = Orders,
            Where = payload => !numberOf.TryRead(payload, out int number) || number % 30 != 28,
            MaxConcurrency = 8,
            Retry = new RetryPolicy { Delay = TimeSpan.FromMilliseconds(20) },
        });
        consumer.Handle<Order>(async (order, context) =>
        {
            await Task.Delay(order.Number % 20);
            if (order.Number % 50 == 49 || (order.Number % 20 == 19 && context.Attempt == 1))
            {
                throw new InvalidOperationException("This order cannot be delivered.");
            }
        });
        await using var responder = new WireConsumer(
            connection, serializer, new WireConsumerOptions { Queue = Questions, OnFailure = FailureAction.DeadLetter });
        responder.Reply<Question, Answer>(async (question, _) =>
        {
            await Task.Delay(question.Number % 40 == 39 ? 400 : question.Number % 10);
            return new Answer(question.Number);
        });
        await consumer.StartAsync();
        await responder.StartAsync();
        await using var publisher = new WirePublisher(connection, serializer);
        await using var wrong = new WirePublisher(connection, serializer);
        await using var requester = new WireRequester(connection, serializer);
        await Task.WhenAll(
            ForEachAsync(
                150,
                async number => await publisher.PublishAsync(
                    "", Orders, new Order(number), new PublishOptions { MessageId = $"{number - (number % 40 == 39 ? 1 : 0)}" })),
            ForEachAsync(
                10,
                async number => await publisher.PublishAsync(
                    "", "depot-nowhere", new Order(number), new PublishOptions { Mandatory = true })),
            ForEachAsync(1, async number => await wrong.PublishAsync("depot-missing", "", new Order(number))),
            ForEachAsync(
                60,
                async number => await requester.RequestAsync<Question, Answer>(
                    "", Questions, new Question(number), timeout: TimeSpan.FromMilliseconds(300))));
        await consumer.StopAsync();
        await responder.StopAsync();
        foreach (string queue in (string[])[Orders, $"{Orders}.error", Questions])
        {
            await connection.Topology.DeleteQueueAsync(queue);
        }
    }

    private async Task ClientAsync()
    {
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(
            AmqpConnectionOptions.Parse(uri) with { Body = new AmqpBody(new Serializer(Options)) });
        await using AmqpChannel channel = await connection.OpenChannelAsync();
        await using AmqpChannel wrong =
            await connection.OpenChannelAsync(new AmqpChannelOptions { Reopens = true });
        await channel.Topology.DeclareQueueAsync(Parcels, AmqpQueueOptions.Temporary);
        await channel.Topology.DeclareQueueAsync(Shelf, AmqpQueueOptions.Temporary);
        await using AmqpConsumer consumer = await channel.ConsumeAsync<Parcel>(
            Parcels,
            async (parcel, _) =>
            {
                await Task.Delay(parcel!.Number % 8);
                if (parcel.Number % 30 == 29)
                {
                    throw new FormatException("This parcel has no address.");
                }
            },
            new AmqpConsumeOptions { OnError = (_, _) => { } });
        await Task.WhenAll(
            ForEachAsync(200, async number => await channel.PublishAsync("", Parcels, new Parcel(number))),
            ForEachAsync(
                20,
                async number =>
                {
                    await channel.PublishAsync("", Shelf, new Parcel(number));
                    using AmqpDelivery? taken = await channel.GetAsync(Shelf, noAck: true);
                }),
            ForEachAsync(1, async number => await wrong.PublishAsync("depot-missing", "", new Parcel(number))));
    }

    private async Task StreamAsync()
    {
        await using StreamClient client = await StreamClient.ConnectAsync(
            StreamClientOptions.Parse(streamUri) with { Serializer = new Serializer(Options) });
        await client.EnsureStreamAsync(Readings);
        await using StreamProducer producer = await client.CreateProducerAsync(Readings);
        await using StreamConsumer alarms = await client.ConsumeAsync<Reading>(
            Readings,
            (reading, _) => reading!.Number % 100 == 99 ? throw new FormatException("This is no temperature.") : default,
            new StreamConsumerOptions { Name = "alarms", OnFailure = _ => StreamFailedMessage.Skip });
        await using StreamConsumer archive = await client.ConsumeAsync<Reading>(
            Readings, async (_, _) => await Task.Delay(4), new StreamConsumerOptions { Name = "archive" });
        await ForEachAsync(150, async number => await producer.SendAsync(new Reading(number)));
        await archive.CloseAsync();
        await alarms.CloseAsync();
        await producer.CloseAsync();
        await client.DeleteStreamAsync(Readings);
    }

    // About so many a second, in waves of twenty seconds; what fails is what there is to see.
    private async Task ForEachAsync(int rate, Func<int, Task> send)
    {
        var running = new HashSet<Task>();
        for (int number = 0; !stop.IsCancellationRequested; number++)
        {
            running.Add(send(number));
            running.RemoveWhere(task => task.IsCompleted);
            double wave = 1 + (0.6 * Math.Sin(Environment.TickCount64 * Math.Tau / 20_000));
            await Task.Delay(TimeSpan.FromSeconds(1 / (rate * wave)));
        }

        await Task.WhenAll(running).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }
}

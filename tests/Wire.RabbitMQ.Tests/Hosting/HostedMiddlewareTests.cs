using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Hosting;

/// <summary>Middleware, batches and scopes in a host.</summary>
public abstract class HostedMiddlewareTests(WireTransport transport)
{
    [Fact]
    public async Task Middleware_and_handlers_of_any_kind_share_the_scope_of_their_message()
    {
        string queue = Broker.UniqueName();
        var seen = new Seen();
        await using Program program = await Program.StartAsync(transport, builder =>
        {
            builder.Services.AddSingleton(seen).AddScoped<Unit>();
            builder.UsePublish<Stamp>().Declare(Queue(queue)).AddConsumer(Options(queue), consumer => consumer
                .Use<Noting>()
                .Handle<OrderPlaced, Handler>()
                .Handle<Parcels>((_, context) => seen.Add("function", context, context.Services.GetRequiredService<Unit>())));
        });
        await program.Publisher.PublishAsync<Message>("", queue, new OrderPlaced(Guid.NewGuid(), "Ada", 1)).AsTask().InTime();
        await program.Publisher.PublishAsync<Message>("", queue, new Parcels(Guid.NewGuid(), [])).AsTask().InTime();
        await seen.UntilAsync(4);
        await program.StopAsync();

        Assert.Equal(["function", "handler", "middleware", "middleware"], seen.Notes.Select(note => note.Who).Order());
        foreach (IGrouping<string?, (string Who, string? Id, Unit Unit)> message in seen.Notes.GroupBy(note => note.Id))
        {
            Assert.Single(message.Select(note => note.Unit).Distinct());
            Assert.True(message.First().Unit.IsDisposed);
        }

        Assert.Equal(2, seen.Notes.Select(note => note.Unit).Distinct().Count());
        Assert.All(seen.Notes, note => Assert.Equal("stamped", note.Id![..7]));
    }

    [Fact]
    public async Task A_batch_has_a_service_and_a_scope_of_its_own()
    {
        string queue = Broker.UniqueName();
        var seen = new Seen();
        await using Program program = await Program.StartAsync(transport, builder =>
        {
            builder.Services.AddSingleton(seen).AddScoped<Unit>();
            builder.Declare(Queue(queue)).AddConsumer(Options(queue), consumer => consumer
                .HandleBatch<OrderPlaced, Batches>(new BatchOptions { MaxCount = 5, MaxDelay = TimeSpan.FromDays(1) }));
        });
        for (int i = 0; i < 10; i++)
        {
            await program.Publisher.PublishAsync("", queue, new OrderPlaced(Guid.NewGuid(), "Ada", i)).AsTask().InTime();
        }

        await seen.UntilAsync(10);
        await program.StopAsync();
        Assert.Equal(10, seen.Notes.Select(note => note.Id).Distinct().Count());
        Assert.Equal([5, 5], seen.Notes.GroupBy(note => note.Unit).Select(batch => batch.Count()));
        Assert.All(seen.Notes, note => Assert.True(note.Unit.IsDisposed));
    }

    [Fact]
    public async Task What_a_scope_throws_does_not_undo_what_was_handled()
    {
        string queue = Broker.UniqueName();
        var seen = new Seen();
        await using Program program = await Program.StartAsync(transport, builder =>
        {
            builder.Services.AddSingleton(seen).AddScoped<Unit>().AddScoped<Stubborn>();
            builder.Declare(Queue(queue)).AddConsumer(Options(queue), consumer => consumer.Handle<OrderPlaced>((_, context) =>
            {
                context.Services.GetRequiredService<Stubborn>();
                return seen.Add($"attempt {context.Attempt}", context, context.Services.GetRequiredService<Unit>());
            }));
        });
        await program.Publisher.PublishAsync("", queue, new OrderPlaced(Guid.NewGuid(), "Ada", 1)).AsTask().InTime();
        await program.Publisher.PublishAsync("", queue, new OrderPlaced(Guid.NewGuid(), "Ada", 2)).AsTask().InTime();
        await seen.UntilAsync(2);
        await program.StopAsync();
        Assert.Equal(["attempt 1", "attempt 1"], seen.Notes.Select(note => note.Who));
    }

    [Fact]
    public async Task Without_a_host_there_are_no_services_and_after_the_handler_none_either()
    {
        string queue = Broker.UniqueName();
        MessageContext? kept = null;
        var seen = new Seen();
        await using Program program = await Program.StartAsync(transport, builder => builder.Declare(Queue(queue)));
        await using var consumer = new WireConsumer(
            await program.Connections.GetConsumingAsync(), Shop.Serializer, Options(queue) with { Retry = RetryPolicy.None });
        consumer.Handle<OrderPlaced>((_, context) =>
        {
            kept = context;
            string message = Assert.Throws<InvalidOperationException>(() => context.Services).Message;
            return seen.Add(message, context, new Unit());
        });
        await consumer.StartAsync().InTime();
        await program.Publisher.PublishAsync("", queue, new OrderPlaced(Guid.NewGuid(), "Ada", 1)).AsTask().InTime();
        await seen.UntilAsync(1);
        await consumer.StopAsync().InTime();
        Assert.Contains("has no services", seen.Notes.Single().Who, StringComparison.Ordinal);
        Assert.Contains(
            "until its handler ends", Assert.Throws<InvalidOperationException>(() => kept!.Services).Message, StringComparison.Ordinal);
    }

    private static WireConsumerOptions Options(string queue) => new() { Queue = queue, MaxConcurrency = 5, DeclareErrorQueue = false };

    private static Func<IAmqpTopology, CancellationToken, Task> Queue(string queue) => (topology, token) =>
        topology.DeclareQueueAsync(queue, new AmqpQueueOptions { Durable = false, AutoDelete = true }, token);

    private sealed class Seen
    {
        public ConcurrentQueue<(string Who, string? Id, Unit Unit)> Notes { get; } = new();

        public Task Add(string who, MessageContext context, Unit unit)
        {
            Notes.Enqueue((who, context.MessageId, unit));
            return Task.CompletedTask;
        }

        public async Task UntilAsync(int count)
        {
            using var patience = new CancellationTokenSource(Patience.Limit);
            while (Notes.Count < count)
            {
                await Task.Delay(10, patience.Token);
            }
        }
    }

    private sealed class Unit : IDisposable
    {
        public bool IsDisposed { get; private set; }

        public void Dispose() => IsDisposed = true;
    }

    private sealed class Stubborn : IDisposable
    {
        public void Dispose() => throw new InvalidOperationException("No.");
    }

    private sealed class Stamp : IPublishMiddleware
    {
        public ValueTask PublishAsync(Publication publication, PublishHandler next, CancellationToken cancellationToken) => next(
            publication with { Options = new PublishOptions { MessageId = $"stamped {Guid.NewGuid()}" } }, cancellationToken);
    }

    private sealed class Noting(Seen seen, Unit unit) : IConsumeMiddleware
    {
        public async Task HandleAsync(object message, MessageContext context, MessageHandler next)
        {
            await next(message, context);
            Assert.False(unit.IsDisposed);
            await seen.Add("middleware", context, unit);
        }
    }

    private sealed class Handler(Seen seen, Unit unit) : IMessageHandler<OrderPlaced>
    {
        public Task HandleAsync(OrderPlaced message, MessageContext context) => seen.Add("handler", context, unit);
    }

    private sealed class Batches(Seen seen, Unit unit) : IBatchHandler<OrderPlaced>
    {
        public async Task HandleAsync(IReadOnlyList<Delivery<OrderPlaced>> batch, CancellationToken cancellationToken)
        {
            foreach (Delivery<OrderPlaced> each in batch)
            {
                await seen.Add("batch", each.Context, unit);
            }
        }
    }
}

/// <inheritdoc/>
public sealed class HostedMiddlewareTestsOnLane() : HostedMiddlewareTests(WireTransport.DirectLane);

/// <inheritdoc/>
public sealed class HostedMiddlewareTestsOnClient() : HostedMiddlewareTests(WireTransport.Client);

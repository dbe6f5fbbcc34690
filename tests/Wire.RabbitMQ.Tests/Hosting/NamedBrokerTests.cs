using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using RabbitMQ.Client;
using Wire.RabbitMQ.Client;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Hosting;

/// <summary>Several brokers in one host: each has services of its own, under its name.</summary>
public abstract class NamedBrokerTests(WireTransport transport, PrivateNode node)
{
    [Fact]
    public async Task Two_nodes_in_one_host_have_their_own_messages_and_handlers_get_what_they_ask_for()
    {
        string queue = Broker.UniqueName();
        var received = new Received();
        using IHost host = Build(services =>
        {
            services.AddSingleton(received);
            Add(services, null, Broker.Node.Factory(), queue)
                .AddConsumer(Options(queue), consumer => consumer.Handle<int, Forwarder>());
            Add(services, "other", node.Node.Factory(), queue)
                .AddConsumer(Options(queue), consumer => consumer.Handle<int>((number, _) =>
                {
                    received.Numbers.Enqueue(number);
                    received.Done.TrySetResult();
                    return Task.CompletedTask;
                }));
        });
        await host.StartAsync().InTime();
        IServiceProvider services = host.Services;
        WirePublisher first = services.GetRequiredService<WirePublisher>();
        WirePublisher other = services.GetRequiredKeyedService<WirePublisher>("other");
        Assert.NotSame(first, other);
        Assert.Same(first, services.GetRequiredKeyedService<WirePublisher>(null));
        Assert.NotSame(services.GetRequiredService<WireRequester>(), services.GetRequiredKeyedService<WireRequester>("other"));
        Assert.NotSame(services.GetRequiredService<WireBodySerializer>(), services.GetRequiredKeyedService<WireBodySerializer>("other"));
        Assert.Null(services.GetKeyedService<WirePublisher>("elsewhere"));

        await first.PublishAsync("", queue, 7).AsTask().InTime();
        await received.Done.Task.InTime();

        // Handled at the first, and published by its handler to the other.
        Assert.Equal([700], received.Numbers);
        WireConnection[] connections =
        [
            await services.GetRequiredService<WireConnections>().GetConsumingAsync().InTime(),
            await services.GetRequiredKeyedService<WireConnections>("other").GetConsumingAsync().InTime(),
            await services.GetRequiredKeyedService<WireConnections>("other").GetPublishingAsync().InTime(),
        ];
        Assert.Equal(
            [Broker.Node.Uri.Port, node.Node.Uri.Port, node.Node.Uri.Port],
            connections.Select(connection => connection.Endpoint!.Port));
        Assert.EndsWith(" other (consume)", NameOf(connections[1]), StringComparison.Ordinal);
        Assert.DoesNotContain("other", NameOf(connections[0]), StringComparison.Ordinal);

        await host.StopAsync().InTime();
        Assert.All(connections, connection => Assert.True(connection.IsClosed));
    }

    [Fact]
    public async Task Two_virtual_hosts_answer_each_their_requests()
    {
        string queue = Broker.UniqueName();
        string virtualHost = Broker.UniqueName("vhost");
        await node.ControlAsync("add_vhost", virtualHost);
        try
        {
            await node.ControlAsync("set_permissions", "-p", virtualHost, "guest", ".*", ".*", ".*");
            using IHost host = Build(services =>
            {
                foreach ((string name, string place) in (ReadOnlySpan<(string, string)>)[("left", "/"), ("right", virtualHost)])
                {
                    ConnectionFactory factory = node.Node.Factory();
                    factory.VirtualHost = place;
                    Add(services, name, factory, queue)
                        .AddConsumer(Options(queue), consumer => consumer.Reply<int, string>((_, _) => Task.FromResult(name)));
                }
            });
            await host.StartAsync().InTime();
            foreach (string name in (string[])["left", "right"])
            {
                WireRequester requester = host.Services.GetRequiredKeyedService<WireRequester>(name);
                Assert.Equal(name, await requester.RequestAsync<int, string>("", queue, 1).InTime());
            }

            await host.StopAsync().InTime();
        }
        finally
        {
            await node.ControlAsync("delete_vhost", virtualHost);
        }
    }

    [Fact]
    public async Task When_one_broker_cannot_be_started_the_consumers_of_the_others_stop()
    {
        string queue = Broker.UniqueName();
        await using IConnection connection = await Broker.Node.ConnectAsync().InTime();
        await using IChannel channel = await connection.CreateChannelAsync().InTime();
        await channel.QueueDeclareAsync(queue, durable: true, exclusive: false, autoDelete: false).InTime();
        try
        {
            using IHost host = Build(services =>
            {
                Add(services, "first", Broker.Node.Factory(), null).AddConsumer(
                    Options(queue), consumer => consumer.Handle<int>((_, _) => Task.CompletedTask));
                Add(services, "second", node.Node.Factory(), null).AddConsumer(
                    Options(queue), consumer => consumer.Handle<int>((_, _) => Task.CompletedTask));
            });

            var error = await Assert.ThrowsAsync<InvalidOperationException>(() => host.StartAsync().InTime());

            Assert.Contains(queue, error.Message, StringComparison.Ordinal);
            Assert.Equal(0u, await channel.ConsumerCountAsync(queue).InTime());
        }
        finally
        {
            await channel.QueueDeleteAsync(queue);
        }
    }

    private static string NameOf(WireConnection connection) => (connection is DirectConnection direct
        ? direct.Inner.Options.ConnectionName
        : ((ClientConnection)connection).Inner.ClientProvidedName)!;

    private static WireConsumerOptions Options(string queue) => new() { Queue = queue, OnFailure = FailureAction.DeadLetter };

    private static IHost Build(Action<IServiceCollection> add)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        add(builder.Services);
        return builder.Build();
    }

    private WireRabbitMQBuilder Add(IServiceCollection services, string? name, ConnectionFactory factory, string? queue)
    {
        void Configure(WireRabbitMQOptions options)
        {
            options.Transport = transport;
            options.ConnectionFactory = factory;
        }

        WireRabbitMQBuilder builder = name is null ? services.AddWireRabbitMQ(Configure) : services.AddWireRabbitMQ(name, Configure);
        Assert.Equal(name, builder.Name);
        return queue is null
            ? builder
            : builder.Declare((topology, token) =>
                topology.DeclareQueueAsync(queue, new() { Durable = false, AutoDelete = true }, token));
    }

    private sealed class Received
    {
        public ConcurrentQueue<int> Numbers { get; } = new();

        public TaskCompletionSource Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    private sealed class Forwarder([FromKeyedServices("other")] WirePublisher publisher) : IMessageHandler<int>
    {
        public Task HandleAsync(int message, MessageContext context) =>
            publisher.PublishAsync("", context.RoutingKey, message * 100).AsTask();
    }
}

/// <inheritdoc/>
[Collection(nameof(PrivateNode))]
public sealed class NamedBrokerTestsOnClient(PrivateNode node) : NamedBrokerTests(WireTransport.Client, node);

/// <inheritdoc/>
[Collection(nameof(PrivateNode))]
public sealed class NamedBrokerTestsOnLane(PrivateNode node) : NamedBrokerTests(WireTransport.DirectLane, node);

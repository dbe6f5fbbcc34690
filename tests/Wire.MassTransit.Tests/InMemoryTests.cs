using System.Runtime.Serialization;
using MassTransit;
using MassTransit.Context;
using MassTransit.Contracts.JobService;
using MassTransit.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.MassTransit.Tests;

/// <summary>The transport within a process, which also delays messages by itself.</summary>
public sealed class InMemoryTests : TransportTests
{
    [Fact]
    public async Task A_redelivered_message_is_what_it_was()
    {
        var inbox = new Inbox<ConsumeContext<OrderEvent>>();
        await using RunningBus bus = await Start((bus, endpoint) =>
        {
            bus.UseDelayedMessageScheduler();
            endpoint.UseScheduledRedelivery(retry => retry.Interval(2, TimeSpan.FromMilliseconds(20)));
            endpoint.Handler<OrderEvent>(context => context.GetRedeliveryCount() < 2
                ? throw new InvalidOperationException("later")
                : inbox.Add(context));
        });

        await bus.Send(Shop.Order(), context => context.Headers.Set("Text", "kept"));

        ConsumeContext<OrderEvent> read = await inbox.Next();
        GraphAssert.Same(Shop.Order(), read.Message, sharing: true);
        Assert.Equal((2, "kept"), (read.GetRedeliveryCount(), read.Headers.Get<string>("Text")));
    }

    [Fact]
    public async Task A_scheduled_message_arrives()
    {
        var inbox = new Inbox<OrderEvent>();
        await using RunningBus bus = await Start((bus, endpoint) =>
        {
            bus.UseDelayedMessageScheduler();
            endpoint.Handler<GetOrder>(context => context.ScheduleSend(TimeSpan.FromMilliseconds(20), Shop.Order()));
            Consume(endpoint, inbox);
        });

        await bus.Send(new GetOrder(Guid.NewGuid()));

        GraphAssert.Same(Shop.Order(), await inbox.Next(), sharing: true);
    }

    [Fact]
    public async Task A_message_that_is_delayed_after_retries_is_what_it_was()
    {
        var inbox = new Inbox<ConsumeContext<OrderEvent>>();
        int attempts = 0;
        await using RunningBus bus = await Start((bus, endpoint) =>
        {
            bus.UseDelayedMessageScheduler();
            endpoint.UseDelayedRedelivery(retry => retry.Interval(1, TimeSpan.FromMilliseconds(20)));
            endpoint.UseMessageRetry(retry => retry.Immediate(1));
            endpoint.Handler<OrderEvent>(context => ++attempts < 4 ? throw new InvalidOperationException("later") : inbox.Add(context));
        });

        await bus.Send(Shop.Order());

        ConsumeContext<OrderEvent> read = await inbox.Next();
        GraphAssert.Same(Shop.Order(), read.Message, sharing: true);
        Assert.Equal((1, WireSerializerFactory.WireContentType), (read.GetRedeliveryCount(), read.ReceiveContext.ContentType));
    }

    [Fact]
    public async Task A_job_is_done()
    {
        var inbox = new Inbox<Crunching>();
        var services = new ServiceCollection();
        services.AddLogging();
        services.AddSingleton(inbox);
        services.AddMassTransit(configure =>
        {
            configure.AddDelayedMessageScheduler();
            configure.AddConsumer<Cruncher>();
            configure.SetInMemorySagaRepositoryProvider();
            configure.AddJobSagaStateMachines();
            configure.UsingInMemory((context, bus) =>
            {
                bus.UseDelayedMessageScheduler();
                bus.UseWireSerializer(Shop.Options);
                bus.ConfigureEndpoints(context);
            });
        });
        await using ServiceProvider provider = services.BuildServiceProvider();
        IBusControl bus = provider.GetRequiredService<IBusControl>();
        await bus.StartAsync().InTime();
        using IServiceScope scope = provider.CreateScope();
        var job = new Crunching("all", new CardPayment(1.10m, "1"));

        await scope.ServiceProvider.GetRequiredService<IRequestClient<SubmitJob<Crunching>>>().GetResponse<JobSubmissionAccepted>(
            new { JobId = NewId.NextGuid(), Job = job }, default, RequestTimeout.After(s: 20));

        GraphAssert.Same(job, await inbox.Next());
        await bus.StopAsync(TimeSpan.FromSeconds(30));
    }

    [Fact]
    public async Task A_body_that_came_as_a_text_is_read()
    {
        var factory = new WireSerializerFactory(Shop.Options);
        var context = new MessageSendContext<OrderPlaced>(Shop.Order())
        {
            SupportedMessageTypes = MessageTypeCache<OrderPlaced>.MessageTypeNames,
        };
        string text = factory.CreateSerializer().GetMessageBody(context).GetString();

        // As from Amazon SQS, and as from a transactional outbox.
        MessageBody[] bodies = [new StringMessageBody(text), factory.CreateDeserializer().GetMessageBody(text)];

        foreach (MessageBody body in bodies)
        {
            Assert.True(factory.CreateDeserializer().Deserialize(body, EmptyHeaders.Instance).TryGetMessage(out OrderEvent? read));
            GraphAssert.Same(Shop.Order(), read, sharing: true);
        }

        foreach (MessageBody body in (MessageBody[])[new StringMessageBody("{}"), factory.CreateDeserializer().GetMessageBody("{}")])
        {
            Assert.Throws<SerializationException>(() => factory.CreateDeserializer().Deserialize(body, EmptyHeaders.Instance));
        }
    }

    [Fact]
    public void Each_message_of_MassTransit_is_read_by_its_interface()
    {
        string[] namespaces =
        [
            "MassTransit.Events", "MassTransit.Scheduling", "MassTransit.JobService.Messages", "MassTransit.Courier.Messages",
        ];
        Type[] classes =
        [
            .. new[] { typeof(IBus), typeof(InMemoryConfigurationExtensions) }
                .SelectMany(type => type.Assembly.GetExportedTypes())
                .Where(type => namespaces.Contains(type.Namespace) && type is { IsClass: true, IsAbstract: false })
                .Select(type => type.IsGenericTypeDefinition ? type.MakeGenericType(typeof(GetOrder)) : type)
                .Where(type => type.GetConstructor([]) is not null && Contracts(type).Any()),
        ];

        // A scheduler reads whatever message it keeps.
        var factory = new WireSerializerFactory(Shop.Options with { TypeFilter = Shop.Options.TypeFilter.Allow<GetOrder>() });

        Assert.InRange(classes.Length, 60, 100);
        Assert.All(classes, type => Assert.All(Contracts(type), contract =>
        {
            var context = new MessageSendContext<object>(Activator.CreateInstance(type)!)
            {
                SupportedMessageTypes = [MessageUrn.ForTypeString(contract)],
            };
            MessageBody body = factory.CreateSerializer().GetMessageBody(context);

            Assert.True(factory.CreateDeserializer().Deserialize(body, EmptyHeaders.Instance).TryGetMessage(contract, out object? read));
            Assert.IsAssignableFrom(contract, read);
        }));

        // The interfaces by which consumers ask for it.
        static IEnumerable<Type> Contracts(Type type) => type.GetInterfaces().Where(contract =>
            contract.Namespace is "MassTransit" or "MassTransit.Courier.Contracts" or "MassTransit.Contracts.JobService"
                or "MassTransit.Scheduling"
            && MessageTypeCache.IsValidMessageType(contract)
            && contract.GetMethods().All(method => method.IsSpecialName));
    }

    [Fact]
    public void Headers_whose_names_differ_in_case_are_one()
    {
        var serializer = new Serializer(Shop.Options with { PreserveObjectReferences = false });
        var envelope = new OtherEnvelope
        {
            Types = MessageTypeCache<OrderShipped>.MessageTypeNames,
            Headers = new Dictionary<string, object?> { ["text"] = "first", ["Text"] = "last" },
        };
        byte[] body = [.. serializer.Serialize(envelope), .. new Serializer(Shop.Options).Serialize(new OrderShipped { Parcels = 2 })];
        IMessageDeserializer deserializer = new WireSerializerFactory(Shop.Options).CreateDeserializer();

        SerializerContext came = deserializer.Deserialize(new BytesMessageBody(body), EmptyHeaders.Instance);
        byte[] sentOn = came.GetMessageSerializer().GetMessageBody(new MessageSendContext<OrderShipped>(new OrderShipped())).GetBytes();
        SerializerContext read = deserializer.Deserialize(new BytesMessageBody(sentOn), EmptyHeaders.Instance);

        Assert.Equal(["last", "last"], new[] { came, read }.Select(context => context.Headers.Get<string>("TEXT")));
        Assert.True(read.TryGetMessage(out OrderShipped? message));
        Assert.Equal(2, message!.Parcels);
    }

    [Fact]
    public void The_host_that_older_senders_put_into_messages_is_read()
    {
        var serializer = new Serializer(Shop.Options with { TypeFilter = Shop.Options.TypeFilter.Allow<OtherHost>() });
        var envelope = new OtherEnvelope { Types = MessageTypeCache<Pong>.MessageTypeNames };
        byte[] body =
        [
            .. new Serializer(Shop.Options with { PreserveObjectReferences = false }).Serialize(envelope),
            .. serializer.Serialize(new Pong { Host = new OtherHost { MachineName = "old", ProcessId = 7 } }),
        ];
        IMessageDeserializer deserializer = new WireSerializerFactory(Shop.Options).CreateDeserializer();

        Assert.True(deserializer.Deserialize(new BytesMessageBody(body), EmptyHeaders.Instance).TryGetMessage(out Pong? read));

        Assert.Equal(("old", 7), (read!.Host!.MachineName, read.Host.ProcessId));
    }

    protected override IBusControl Create(Action<IBusFactoryConfigurator> configure) => Bus.Factory.CreateUsingInMemory(configure);

    /// <summary>An envelope as another program might write it.</summary>
    [WireName("Wire.MassTransit.Envelope")]
    public sealed class OtherEnvelope
    {
        [WireName("t")]
        public string[]? Types { get; init; }

        [WireName("h")]
        public Dictionary<string, object?>? Headers { get; init; }
    }

    /// <summary>The host of an envelope, which was handed out as that of the context.</summary>
    [WireName("Wire.MassTransit.Host")]
    public sealed class OtherHost : HostInfo
    {
        [WireName("m")]
        public string? MachineName { get; init; }

        [WireName("i")]
        public int ProcessId { get; init; }

        string? HostInfo.ProcessName => null;

        string? HostInfo.Assembly => null;

        string? HostInfo.AssemblyVersion => null;

        string? HostInfo.FrameworkVersion => null;

        string? HostInfo.MassTransitVersion => null;

        string? HostInfo.OperatingSystemVersion => null;
    }

    public sealed class Cruncher(Inbox<Crunching> inbox) : IJobConsumer<Crunching>
    {
        public Task Run(JobContext<Crunching> context) => inbox.Add(context.Job);
    }
}

using MassTransit;
using MassTransit.Courier.Contracts;
using MassTransit.Metadata;
using Wire.Testing;

namespace Wire.MassTransit.Tests;

/// <content>Routing slips of several activities, and the host that they and others take along.</content>
public abstract partial class TransportTests
{
    [Theory]
    [InlineData("a b")]
    [InlineData("a b c")]
    public Task Each_activity_of_a_routing_slip_is_executed(string names) => Follow(
        names.Split(' '),
        [.. names.Split(' ').Select(name => $"executed {name}")],
        [.. names.Split(' ').Select(_ => "ActivityCompleted"), "Completed"]);

    [Fact]
    public Task A_routing_slip_that_fails_is_compensated() => Follow(
        ["a", "b", "fails"],
        ["executed a", "executed b", "compensated b", "compensated a"],
        ["ActivityCompleted", "ActivityCompleted", "ActivityFaulted", "ActivityCompensated", "ActivityCompensated", "Faulted"]);

    [Fact]
    public Task A_compensation_may_fail() => Follow(
        ["a", "stays", "b", "fails"],
        ["executed a", "executed stays", "executed b", "compensated b"],
        [
            "ActivityCompleted", "ActivityCompleted", "ActivityCompleted", "ActivityFaulted", "ActivityCompensated",
            "ActivityCompensationFailed", "CompensationFailed",
        ]);

    [Fact]
    public Task An_activity_may_revise_the_itinerary() => Follow(
        ["a", "revises", "b"],
        ["executed a", "executed revises", "executed added", "executed b"],
        ["ActivityCompleted", "ActivityCompleted", "Revised", "ActivityCompleted", "ActivityCompleted", "Completed"]);

    [Fact]
    public Task An_activity_may_end_the_routing_slip() => Follow(
        ["a", "ends", "b"], ["executed a"], ["ActivityCompleted", "ActivityCompleted", "Terminated", "Completed"]);

    [Fact]
    public async Task A_message_may_carry_the_host_of_another()
    {
        var inbox = new Inbox<Pong>();
        await using RunningBus bus = await Start((_, endpoint) =>
        {
            endpoint.Handler<GetOrder>(context => context.Send(context.ReceiveContext.InputAddress, new Pong { Host = context.Host }));
            Consume(endpoint, inbox);
        });

        await bus.Send(new GetOrder(Id));

        AssertOwn((await inbox.Next()).Host);
    }

    // Executes activities of these names, and compares what they did, in order, and which events came of it, in any.
    private async Task Follow(string[] activities, string[] actions, string[] events)
    {
        var done = new Inbox<string>();
        var inbox = new Inbox<(string Name, Guid TrackingNumber, HostInfo? Host)>();
        string execution = Broker.UniqueName("execute");
        string compensation = Broker.UniqueName("compensate");
        await using RunningBus bus = await Start(
            (_, endpoint) => ConsumeEvents(endpoint, inbox),
            (bus, _) =>
            {
                bus.ReceiveEndpoint(execution, endpoint =>
                {
                    Note(endpoint);
                    endpoint.ExecuteActivityHost<Step, StepArguments>(Address(compensation), _ => new Step(done, Address(execution)));
                });
                bus.ReceiveEndpoint(compensation, endpoint =>
                {
                    Note(endpoint);
                    endpoint.CompensateActivityHost<Step, StepLog>(_ => new Step(done, Address(execution)));
                });
            });
        var slip = new RoutingSlipBuilder(Id);
        slip.AddSubscription(bus.Endpoint, RoutingSlipEvents.All);
        foreach (string name in activities)
        {
            slip.AddActivity(name, Address(execution), new { Name = name });
        }

        await bus.Bus.Execute(slip.Build());

        var came = new List<string>();
        foreach (string _ in events)
        {
            (string name, Guid trackingNumber, HostInfo? host) = await inbox.Next();
            came.Add(name);
            Assert.Equal(Id, trackingNumber);
            if (name is not ("Completed" or "Faulted" or "CompensationFailed"))
            {
                AssertOwn(host);
            }
        }

        Assert.Equal(events.Order(), came.Order());
        foreach (string action in actions)
        {
            Assert.Equal(action, await done.Next());
        }

        Assert.True(done.IsEmpty);
    }

    private static void AssertOwn(HostInfo? host)
    {
        Assert.IsType<BusHostInfo>(host);
        Assert.Equivalent(HostMetadataCache.Host, host);
    }

    private static void ConsumeEvents(
        IReceiveEndpointConfigurator endpoint, Inbox<(string Name, Guid TrackingNumber, HostInfo? Host)> inbox)
    {
        On<RoutingSlipCompleted>("Completed", slip => (slip.TrackingNumber, null));
        On<RoutingSlipFaulted>("Faulted", slip => (slip.TrackingNumber, null));
        On<RoutingSlipCompensationFailed>("CompensationFailed", slip => (slip.TrackingNumber, null));
        On<RoutingSlipTerminated>("Terminated", slip => (slip.TrackingNumber, slip.Host));
        On<RoutingSlipRevised>("Revised", slip => (slip.TrackingNumber, slip.Host));
        On<RoutingSlipActivityCompleted>("ActivityCompleted", slip => (slip.TrackingNumber, slip.Host));
        On<RoutingSlipActivityFaulted>("ActivityFaulted", slip => (slip.TrackingNumber, slip.Host));
        On<RoutingSlipActivityCompensated>("ActivityCompensated", slip => (slip.TrackingNumber, slip.Host));
        On<RoutingSlipActivityCompensationFailed>("ActivityCompensationFailed", slip => (slip.TrackingNumber, slip.Host));

        void On<T>(string name, Func<T, (Guid TrackingNumber, HostInfo? Host)> parts)
            where T : class => endpoint.Handler<T>(context =>
            {
                (Guid trackingNumber, HostInfo? host) = parts(context.Message);
                return inbox.Add((name, trackingNumber, host));
            });
    }

    /// <summary>An activity that does what its name says.</summary>
    private sealed class Step(Inbox<string> done, Uri itself) : IActivity<StepArguments, StepLog>
    {
        public async Task<ExecutionResult> Execute(ExecuteContext<StepArguments> context)
        {
            string name = context.Arguments.Name;
            switch (name)
            {
                case "fails":
                    throw new InvalidOperationException("not today");
                case "ends":
                    return context.Terminate();
                default:
                    await done.Add($"executed {name}");
                    return name != "revises" ? context.Completed(new StepLog(name)) : context.ReviseItinerary(new StepLog(name), slip =>
                    {
                        slip.AddActivity("added", itself, new { Name = "added" });
                        slip.AddActivitiesFromSourceItinerary();
                    });
            }
        }

        public async Task<CompensationResult> Compensate(CompensateContext<StepLog> context)
        {
            if (context.Log.Name == "stays")
            {
                return context.Failed(new InvalidOperationException("no way back"));
            }

            await done.Add($"compensated {context.Log.Name}");
            return context.Compensated();
        }
    }
}

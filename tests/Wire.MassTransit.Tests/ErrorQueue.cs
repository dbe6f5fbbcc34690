using MassTransit;

namespace Wire.MassTransit.Tests;

/// <summary>Looks at the messages of an error queue without reading their bodies.</summary>
internal sealed class ErrorQueue : IFilter<ReceiveContext>
{
    private readonly Inbox<ReceiveContext> _messages = new();

    public Task<ReceiveContext> Next() => _messages.Next();

    public async Task<string> NextReason() =>
        (await Next()).TransportHeaders.Get<string>(MessageHeaders.FaultMessage) ?? "no reason";

    public Task Send(ReceiveContext context, IPipe<ReceiveContext> next) => _messages.Add(context);

    public void Probe(ProbeContext context)
    {
    }

    /// <summary>Listens to the error queue of an endpoint.</summary>
    public static ErrorQueue Of(IBusFactoryConfigurator bus, string queue)
    {
        var errors = new ErrorQueue();
        bus.ReceiveEndpoint($"{queue}_error", endpoint =>
        {
            endpoint.ConfigureConsumeTopology = false;
            endpoint.DiscardSkippedMessages();
            endpoint.ConfigureReceive(pipe => pipe.UseFilter(errors));
        });
        return errors;
    }
}

using Microsoft.Extensions.Diagnostics.HealthChecks;
using Wire.Amqp.Client;

namespace Wire.RabbitMQ.Hosting;

/// <summary>The health check of a broker: whether its connections and consumers do what they are for.</summary>
/// <param name="host">The consumers with their broker; null where it was not added.</param>
/// <param name="name">The name of the broker.</param>
/// <param name="options">The options of the check.</param>
internal sealed class BrokerHealthCheck(ConsumerHost? host, string? name, WireHealthCheckOptions options) : IHealthCheck
{
    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(context);
        var findings = new HealthFindings(context.Registration.FailureStatus);
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        timeout.CancelAfter(options.Timeout);
        try
        {
            await CheckAsync(findings, timeout.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (timeout.IsCancellationRequested)
        {
            NotAnswered(findings);
        }
        catch (Exception e)
        {
            findings.Failed(e.Message, e);
        }

        return findings.ToResult();
    }

    private async Task CheckAsync(HealthFindings findings, CancellationToken cancellationToken)
    {
        if (host is null)
        {
            findings.Failed(name is null
                ? "No broker was added: call AddWireRabbitMQ of the services."
                : $"No broker '{name}' was added: call AddWireRabbitMQ of the services with this name.");
            return;
        }

        HostedBroker.Require([host.Broker]);
        if (options.Connect)
        {
            // Where it fails, the connection says why.
            Task connecting = host.Connections.GetPublishingAsync(cancellationToken);
            await connecting.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (connecting.IsCanceled)
            {
                NotAnswered(findings);
            }
        }

        foreach ((string purpose, Task<WireConnection>? made) in host.Connections.Made)
        {
            CheckConnection(findings, purpose, made);
        }

        IReadOnlyList<HostedConsumer> consumers = host.Consumers;
        foreach (HostedConsumer consumer in consumers)
        {
            CheckConsumer(findings, consumer);
        }

        foreach (ConsumerRegistration missing in host.Broker.Consumers.Skip(consumers.Count))
        {
            findings.Failed($"The consumer of '{missing.Options.Queue}' was not started: the host has not, or could not.");
            findings.Note($"consumer {missing.Options.Queue}", "not started");
        }

        if (options.MaxLag is { } most)
        {
            // A connection that is down does not answer.
            await CheckLagAsync(
                findings, consumers.Where(each => each.Connection.IsOpen && !IsOfStream(each)), most, cancellationToken)
                .ConfigureAwait(false);
        }
    }

    private void NotAnswered(HealthFindings findings) =>
        findings.Failed($"The broker has not answered within {options.Timeout.TotalSeconds:0.###} s.");

    private static void CheckConnection(HealthFindings findings, string purpose, Task<WireConnection>? connection)
    {
        string key = $"connection ({purpose})";
        switch (connection)
        {
            case null:
                findings.Note(key, "not made yet");
                break;
            case { IsCompleted: false }:
                findings.Degraded($"The {key} is being made: no broker was reached yet.");
                findings.Note(key, "being made");
                break;
            case { IsCompletedSuccessfully: false }:
                Exception? failure = connection.Exception?.InnerException;
                findings.Failed($"The {key} could not be made{Because(failure)}", failure);
                findings.Note(key, "not made: the last attempt has failed");
                break;
            case { Result: { IsOpen: false } lost }:
                string state = lost.IsClosed ? "closed" : "down";
                findings.Failed($"The {key} is {state}{Because(lost.Error)}", lost.Error);
                findings.Note(key, state);
                break;
            case { Result.BlockedReason: { } reason }:
                findings.Degraded($"The broker accepts no messages over the {key} for now: {reason}.");
                findings.Note(key, $"blocked: {reason}");
                break;
            default:
                findings.Note(key, $"open, to {connection.Result.Endpoint}");
                break;
        }
    }

    private static void CheckConsumer(HealthFindings findings, HostedConsumer hosted)
    {
        string queue = hosted.Options.Queue;
        string key = $"consumer {queue}";
        Task completion = hosted.Consumer.Completion;
        Exception? error = completion.Exception?.InnerException ?? hosted.Consumer.Interruption;
        if (completion.IsCompleted)
        {
            findings.Failed($"The consumer of '{queue}' has ended{Because(error)}", error);
            findings.Note(key, "ended");
        }
        else if (hosted.Consumer.Subscription?.Consumer.IsConsuming == true)
        {
            findings.Note(key, "consuming");
        }
        else
        {
            findings.Degraded($"The consumer of '{queue}' does not consume for now{Because(error)}", error);
            findings.Note(key, "waiting to consume");
        }
    }

    private static async Task CheckLagAsync(
        HealthFindings findings, IEnumerable<HostedConsumer> consumers, long most, CancellationToken cancellationToken)
    {
        foreach (HostedConsumer consumer in consumers.DistinctBy(each => each.Options.Queue))
        {
            string queue = consumer.Options.Queue;

            // A queue that is gone shows in its consumer.
            if (await consumer.Connection.Topology.FindQueueAsync(queue, cancellationToken).ConfigureAwait(false) is { } found)
            {
                findings.Note($"lag {queue}", found.MessageCount);
                if (found.MessageCount > most)
                {
                    findings.Degraded($"In the queue '{queue}' {found.MessageCount} messages are ready, more than the {most} of MaxLag.");
                }
            }
        }
    }

    private static string Because(Exception? error) => error is null ? "." : $": {error.Message}";

    // What is in one stays there when it has been handled.
    private static bool IsOfStream(HostedConsumer hosted) =>
        hosted.Options.QueueOptions.Type == AmqpQueueType.Stream || hosted.Options.Arguments?.ContainsKey("x-stream-offset") == true;
}

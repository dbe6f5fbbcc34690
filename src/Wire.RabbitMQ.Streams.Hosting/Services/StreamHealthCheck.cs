using Microsoft.Extensions.Diagnostics.HealthChecks;
using Wire.RabbitMQ.Hosting;

namespace Wire.RabbitMQ.Streams.Hosting.Services;

/// <summary>The health check of streams: whether consumers and producers do what they are for.</summary>
/// <param name="host">The host; null where the broker was not added.</param>
/// <param name="name">The name of the broker.</param>
/// <param name="maxLag">The most messages that a consumer may have before it; null for any number.</param>
internal sealed class StreamHealthCheck(StreamHost? host, string? name, long? maxLag) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(context);
        var findings = new HealthFindings(context.Registration.FailureStatus);
        if (host is null)
        {
            findings.Failed(name is null
                ? "No streams were added: call AddWireStreams of the services."
                : $"No streams of the broker '{name}' were added: call AddWireStreams of the services with this name.");
        }
        else
        {
            try
            {
                Check(host, findings);
            }
            catch (Exception e)
            {
                // The client is made here, and its options may be wrong.
                findings.Failed(e.Message, e);
            }
        }

        return Task.FromResult(findings.ToResult());
    }

    private void Check(StreamHost of, HealthFindings findings)
    {
        IReadOnlyList<HostedConsumer> consumers = of.Consumers;
        foreach (HostedConsumer consumer in consumers)
        {
            if (consumer.Completion.IsCompleted)
            {
                Exception? error = consumer.Completion.Exception?.InnerException;
                findings.Failed($"The consumer of '{consumer.Stream}' has ended{Because(error)}", error);
                findings.Note($"consumer {consumer.Stream}", "ended");
                continue;
            }

            if (consumer.Interruption() is { } interruption)
            {
                findings.Degraded(
                    $"The partitions of '{consumer.Stream}' are not all consumed, or could not be asked for{Because(interruption)}",
                    interruption);
            }

            foreach (StreamConsumer partition in consumer.Partitions())
            {
                CheckConsumer(findings, partition);
            }
        }

        foreach (ConsumerRegistration missing in of.Registrations.Consumers.Skip(consumers.Count))
        {
            findings.Failed($"The consumer of '{missing.Stream}' was not started: the host has not, or could not.");
            findings.Note($"consumer {missing.Stream}", "not started");
        }

        foreach ((string stream, Task<StreamProducer> producer) in of.Producers.Made)
        {
            CheckProducer(findings, stream, producer);
        }
    }

    private void CheckConsumer(HealthFindings findings, StreamConsumer consumer)
    {
        string key = $"consumer {consumer.Stream}";
        if (consumer.Interruption is { } error)
        {
            findings.Degraded($"The consumer of '{consumer.Stream}' does not consume for now{Because(error)}", error);
            findings.Note(key, "waiting to consume");
            return;
        }

        long lag = consumer.Lag;
        findings.Note(key, consumer.IsActive ? $"consuming, {lag} behind" : "waiting for its turn");
        if (lag > maxLag)
        {
            findings.Degraded($"The consumer of '{consumer.Stream}' is {lag} messages behind, more than the {maxLag} of maxLag.");
        }
    }

    private static void CheckProducer(HealthFindings findings, string stream, Task<StreamProducer> made)
    {
        string key = $"producer {stream}";
        if (!made.IsCompleted)
        {
            findings.Degraded($"The producer of '{stream}' is being made: the broker was not reached yet.");
            findings.Note(key, "being made");
        }
        else if (made.Exception?.InnerException is { } failure)
        {
            findings.Failed($"The producer of '{stream}' could not be made{Because(failure)}", failure);
            findings.Note(key, "not made: the last attempt has failed");
        }
        else if (made.Result.HasEnded)
        {
            findings.Failed($"The producer of '{stream}' has ended{Because(made.Result.Interruption)}", made.Result.Interruption);
            findings.Note(key, "ended");
        }
        else if (made.Result.Interruption is { } error)
        {
            findings.Degraded($"The producer of '{stream}' cannot send for now{Because(error)}", error);
            findings.Note(key, "waiting to send");
        }
        else
        {
            findings.Note(key, $"connected, {made.Result.Unconfirmed} unconfirmed");
        }
    }

    private static string Because(Exception? error) => error is null ? "." : $": {error.Message}";
}

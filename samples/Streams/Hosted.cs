using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Wire;
using Wire.RabbitMQ.Streams;
using Wire.RabbitMQ.Streams.Hosting;

namespace Sensors;

/// <summary>A program with a host, and readings that cannot be handled.</summary>
internal static class Hosted
{
    public static async Task RunAsync(StreamClient client, string uri)
    {
        Console.WriteLine("A host, and an error stream");
        string stream = $"hosted-{Guid.NewGuid():N}";
        #region host
        HostApplicationBuilder builder = Host.CreateApplicationBuilder();
        builder.Services.AddWireStreams(_ => StreamClientOptions.Parse(uri) with
        {
            Serializer = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Reading>() }),
        })
        .Declare(stream)
        .AddConsumer<Reading, Reports>(stream, options => options with { Name = "reports", Offset = StreamOffset.First });
        builder.Services.AddHealthChecks().AddWireStreams(maxLag: 10_000);

        using IHost host = builder.Build();
        await host.StartAsync(); // or RunAsync, until SIGTERM: handlers end, and what was handled is stored
        StreamProducer producer = await host.Services.GetRequiredService<WireStreamProducers>().GetAsync(stream);
        await producer.SendAsync(new Temperature(7, 1, 21.5));
        #endregion
        await producer.SendAsync(new Temperature(7, 2, double.NaN));
        await FailedAsync(client, stream);
        HealthReport health = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        Console.WriteLine($"  The host is {health.Status}");
        await host.StopAsync();
        await client.DeleteStreamAsync(stream + ".error");
        await client.DeleteStreamAsync(stream);
    }

    // Reads the error stream of a stream, when it is there.
    private static async Task FailedAsync(StreamClient client, string stream)
    {
        while (!await client.ExistsAsync(stream + ".error"))
        {
            await Task.Delay(10);
        }

        var done = new TaskCompletionSource();
        #region failed
        await using StreamConsumer failed = await client.ConsumeAsync<Reading>(
            stream + ".error",
            (reading, message) =>
            {
                message.TryGetApplicationProperty("x-wire-error-offset", out var offset);
                message.TryGetApplicationProperty("x-wire-error-message", out var reason);
                Console.WriteLine($"  {offset}: {reading} failed: {reason}");
                done.TrySetResult();
                return ValueTask.CompletedTask;
            },
            new StreamConsumerOptions { Offset = StreamOffset.First });
        #endregion
        await await Task.WhenAny(done.Task, failed.Completion);
    }
}

#region handler
internal sealed class Reports : IStreamHandler<Reading>
{
    public Task HandleAsync(Reading value, StreamMessage message, CancellationToken cancellationToken) =>
        value is Temperature { Celsius: double.NaN } // it is tried three times, and then it is in the error stream
            ? throw new InvalidDataException("The sensor is broken.")
            : Task.CompletedTask;
}
#endregion

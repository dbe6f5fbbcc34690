using System.Diagnostics;
using Depot;
using Wire.RabbitMQ;

// Publishes and consumes over each of Wire's clients, as native code as well; the exit code is the number of exchanges that failed.
// Arguments: amqp://..., rabbitmq-stream://..., and amqps://... where TLS is tried too.
var exchanges = new Exchanges();
await OverAmqp.RunAsync(exchanges, args[0]);
if (args.Length > 2)
{
    await OverAmqp.RunOverTlsAsync(exchanges, args[2]);
}

await OverStreams.RunAsync(exchanges, args[1]);
foreach (WireTransport transport in Enum.GetValues<WireTransport>())
{
    await InHost.RunAsync(exchanges, args[0], transport);
}

Console.WriteLine($"{exchanges.Count} exchanges, {exchanges.Failed} failed");
return exchanges.Failed;

internal sealed class Exchanges
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    public int Count { get; private set; }

    public int Failed { get; private set; }

    public async Task TryAsync(string name, Func<Task> exchange)
    {
        Count++;
        try
        {
            await exchange().WaitAsync(Limit);
        }
        catch (Exception e)
        {
            Failed++;
            Console.WriteLine($"FAILED {name}: {e.GetType().Name}: {e.Message}");
            Console.WriteLine(new StackTrace(e));
        }
    }

    public static void Same<T>(T expected, T actual)
    {
        if (!EqualityComparer<T>.Default.Equals(expected, actual))
        {
            throw new InvalidOperationException($"{actual} instead of {expected}");
        }
    }

    public static void SameShipment(IShipment expected, IShipment? actual)
    {
        Same(expected.GetType(), actual?.GetType());
        Same(expected.Describe(), actual!.Describe());
    }

    public static async Task<T> ThrowsAsync<T>(Func<Task> call)
        where T : Exception
    {
        try
        {
            await call();
        }
        catch (T e)
        {
            return e;
        }

        throw new InvalidOperationException($"No {typeof(T).Name}");
    }
}

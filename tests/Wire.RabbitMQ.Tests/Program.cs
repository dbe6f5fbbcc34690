using Wire.RabbitMQ.Tests.Faults;

namespace Wire.RabbitMQ.Tests;

/// <summary>Makes the project of the tests a program too, which is killed: the runner of tests does not begin here.</summary>
internal static class Program
{
    public static Task<int> Main(string[] arguments) => KilledConsumer.RunAsync(arguments);
}

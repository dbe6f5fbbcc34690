using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Wire.RabbitMQ.Tests.Testing;

/// <summary>What the client says of a connection.</summary>
internal static class ConnectionEvents
{
    /// <summary>What ends when the connection is lost, and what when it has been recovered.</summary>
    public static (Task<ShutdownEventArgs> Lost, Task Recovered) Watch(this IConnection connection)
    {
        var lost = new TaskCompletionSource<ShutdownEventArgs>(TaskCreationOptions.RunContinuationsAsynchronously);
        var recovered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        connection.ConnectionShutdownAsync += (_, reason) =>
        {
            lost.TrySetResult(reason);
            return Task.CompletedTask;
        };
        connection.RecoverySucceededAsync += (_, _) =>
        {
            recovered.TrySetResult();
            return Task.CompletedTask;
        };
        return (lost.Task, recovered.Task);
    }
}

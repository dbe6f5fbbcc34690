using System.Diagnostics;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>Waits for something in the trace, as long as it is not disposed of.</summary>
internal sealed class TraceWatch : IDisposable
{
    private readonly Listener _listener;

    public TraceWatch(string expected)
    {
        _listener = new Listener(expected);
        Trace.Listeners.Add(_listener);
    }

    public Task Heard => _listener.Heard.Task;

    public void Dispose()
    {
        Trace.Listeners.Remove(_listener);
        _listener.Dispose();
    }

    private sealed class Listener(string expected) : TraceListener
    {
        public TaskCompletionSource Heard { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public override void Write(string? message) => WriteLine(message);

        public override void WriteLine(string? message)
        {
            if (message?.Contains(expected, StringComparison.Ordinal) == true)
            {
                Heard.TrySetResult();
            }
        }
    }
}

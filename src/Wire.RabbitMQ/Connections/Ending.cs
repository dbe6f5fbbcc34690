namespace Wire.RabbitMQ.Connections;

/// <summary>Ends something when it is disposed of.</summary>
internal sealed class Ending(Action end) : IDisposable
{
    public void Dispose() => end();
}

using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.Benchmarks.Measuring;
using Wire.Benchmarks.Messaging.Frames;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>Wire.Amqp and a socket: the headers are built and the message is formatted, each time.</summary>
/// <param name="port">Where the server is, on this machine.</param>
/// <param name="batch">How many messages go with one send.</param>
internal sealed class SocketPublisher(int port, int batch) : IPublisher
{
    private readonly HandConnection _connection = new(new Uri($"amqp://guest:guest@127.0.0.1:{port}/"));
    private readonly AmqpBuffer _buffer = new();
    private readonly FieldTableBuilder _headers = new();
    private int _waiting;

    public ValueTask PublishAsync()
    {
        _headers.Clear();
        TableBuilderCodec.Build(_headers, TableBuilderCodec.StringKeys);
        PublishCodec.Write(_buffer, _headers.Table);
        return ++_waiting < batch ? ValueTask.CompletedTask : SendAsync();
    }

    public ValueTask DisposeAsync()
    {
        _connection.Send(_buffer);
        _connection.Dispose();
        _buffer.Dispose();
        return ValueTask.CompletedTask;
    }

    private async ValueTask SendAsync()
    {
        await _connection.SendAsync(_buffer.Written);
        _buffer.Clear();
        _waiting = 0;
    }
}

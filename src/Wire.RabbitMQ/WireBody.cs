using RabbitMQ.Client;
using Wire.Amqp;

namespace Wire.RabbitMQ;

/// <summary>
/// A body in pooled memory with the properties that go with it. Dispose of it when the message has been published: the memory then belongs
/// to the next one. Not thread-safe.
/// </summary>
public sealed class WireBody : IDisposable
{
    // A body is written and published before the next one in most programs; a second one that is open on the same thread gets a buffer of
    // its own.
    [ThreadStatic]
    private static BodyBuffer? _threadBuffer;

    private BodyBuffer? _buffer;

    internal WireBody(BodyBuffer buffer, BasicProperties properties)
    {
        _buffer = buffer;
        Properties = properties;
    }

    /// <summary>The bytes to publish. Valid until this is disposed of.</summary>
    /// <exception cref="ObjectDisposedException">It has been disposed of.</exception>
    public ReadOnlyMemory<byte> Memory => (_buffer ?? throw new ObjectDisposedException(nameof(WireBody))).Written;

    /// <summary>The properties to publish them with.</summary>
    public BasicProperties Properties { get; }

    /// <summary>Gives the memory back.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _buffer, null) is { } buffer)
        {
            PutBack(buffer);
        }
    }

    internal static BodyBuffer TakeBuffer()
    {
        BodyBuffer buffer = _threadBuffer ?? new BodyBuffer();
        _threadBuffer = null;
        return buffer;
    }

    internal static void PutBack(BodyBuffer buffer)
    {
        buffer.Clear();
        if (_threadBuffer is null)
        {
            _threadBuffer = buffer;
        }
        else
        {
            buffer.Dispose();
        }
    }
}

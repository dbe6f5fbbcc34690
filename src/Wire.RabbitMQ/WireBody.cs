using RabbitMQ.Client;
using Wire.Amqp;

namespace Wire.RabbitMQ;

/// <summary>
/// A body in pooled memory, with its properties. Dispose of it when the message has been published: the memory is then reused. Not
/// thread-safe.
/// </summary>
public sealed class WireBody : IDisposable
{
    // Most programs publish a body before they write the next one; a second open body on the same thread gets another buffer.
    [ThreadStatic]
    private static BodyBuffer? _threadBuffer;

    private BodyBuffer? _buffer;

    internal WireBody(BodyBuffer buffer, BasicProperties properties)
    {
        _buffer = buffer;
        Properties = properties;
    }

    /// <summary>The bytes to publish, valid until this object is disposed of.</summary>
    /// <exception cref="ObjectDisposedException">It has been disposed of.</exception>
    public ReadOnlyMemory<byte> Memory => (_buffer ?? throw new ObjectDisposedException(nameof(WireBody))).Written;

    /// <summary>The properties to publish them with.</summary>
    public BasicProperties Properties { get; }

    /// <summary>Returns the memory to the pool.</summary>
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

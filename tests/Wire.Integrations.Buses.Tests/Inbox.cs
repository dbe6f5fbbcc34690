using System.Threading.Channels;
using Wire.Testing;

namespace Wire.Integrations.Buses.Tests;

/// <summary>What a handler got, in order.</summary>
internal sealed class Inbox<T>
{
    private readonly Channel<T> _messages = Channel.CreateUnbounded<T>();

    public bool IsEmpty => !_messages.Reader.TryPeek(out _);

    public Task Add(T message) => _messages.Writer.WriteAsync(message).AsTask();

    public Task<T> Next() => _messages.Reader.ReadAsync().AsTask().InTime();
}

using System.Threading.Channels;
using Wire.Testing;

namespace Wire.MassTransit.Tests;

/// <summary>What a consumer got, in order.</summary>
public sealed class Inbox<T>
{
    private readonly Channel<T> _messages = Channel.CreateUnbounded<T>();

    public Task Add(T message) => _messages.Writer.WriteAsync(message).AsTask();

    public Task<T> Next() => _messages.Reader.ReadAsync().AsTask().InTime();

    public bool IsEmpty => !_messages.Reader.TryPeek(out _);
}

using System.Buffers;
using System.Buffers.Binary;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Interop;

/// <summary>A publisher on a link that sends one frame, which is written here by hand, and waits until all of it is confirmed.</summary>
internal sealed class RawPublisher : ILinkPublisher
{
    private readonly TaskCompletionSource _confirmed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly int _messages;
    private byte[]? _frame;
    private int _count;

    private RawPublisher(int messages) => _messages = messages;

    /// <summary>Publishes messages to a stream, each as an entry of its own.</summary>
    public static async Task PublishAsync(string stream, IReadOnlyList<byte[]> messages)
    {
        StreamLink link = await StreamLink.ConnectAsync(Broker.Options, Broker.Options.Endpoints[0], CancellationToken.None);
        var publisher = new RawPublisher(messages.Count);
        byte? id = await link.AddPublisherAsync(publisher, stream, null, CancellationToken.None);
        Assert.NotNull(id);
        publisher._frame = Frame(id.Value, messages);
        link.Wake(publisher);
        await publisher._confirmed.Task.WaitAsync(Broker.Patience);
        await link.CloseAsync();
    }

    /// <inheritdoc/>
    public bool TryTake(out ReadOnlyMemory<byte> frame)
    {
        frame = _frame;
        _frame = null;
        return !frame.IsEmpty;
    }

    /// <inheritdoc/>
    public void Confirmed(ReadOnlySpan<byte> ids)
    {
        _count += ids.Length / sizeof(ulong);
        if (_count == _messages)
        {
            _confirmed.TrySetResult();
        }
    }

    /// <inheritdoc/>
    public void Failed(ulong publishingId, StreamResponseCode code) => _confirmed.TrySetException(new InvalidOperationException($"The broker has not stored message {publishingId}: {code}."));

    /// <inheritdoc/>
    public void Ended(Exception reason) => _confirmed.TrySetException(reason);

    private static byte[] Frame(byte publisher, IReadOnlyList<byte[]> messages)
    {
        var frame = new ArrayBufferWriter<byte>();
        Number(frame, (uint)(StreamFrames.HeadBytes + sizeof(byte) + sizeof(int) + messages.Sum(message => sizeof(ulong) + sizeof(int) + message.Length)));
        Number(frame, ((uint)CommandKey.Publish << 16) | 1);
        frame.Write([publisher]);
        Number(frame, (uint)messages.Count);
        for (int i = 0; i < messages.Count; i++)
        {
            Number(frame, 0);
            Number(frame, (uint)i + 1);
            Number(frame, (uint)messages[i].Length);
            frame.Write(messages[i]);
        }

        return frame.WrittenSpan.ToArray();
    }

    private static void Number(ArrayBufferWriter<byte> frame, uint value)
    {
        BinaryPrimitives.WriteUInt32BigEndian(frame.GetSpan(sizeof(uint)), value);
        frame.Advance(sizeof(uint));
    }
}
